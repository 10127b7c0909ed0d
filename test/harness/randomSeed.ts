import { inject } from 'vitest'
import process from 'node:process'

/**
 * Chooses the seed of a file's random cases, and prints it. `TEST_SEED` repeats a run.
 *
 * @param subject what the cases are of, for the printed line
 */
export function randomSeed(subject: string): number {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  console.info(`TEST_SEED=${seed} repeats these ${subject}`)
  return seed
}

/** Returns how many cases a random test runs: all of them in the nightly run, else a sixth. */
export function countRuns(all: number): number {
  return inject('extent') === 'nightly' ? all : Math.ceil(all / 6)
}
