import { inject } from 'vitest'

/**
 * Returns the part of a matrix that a run tests: its first case by default, the others in the nightly run. For a matrix
 * whose cases take the same paths through the service.
 */
export function partOf<Case>(cases: readonly Case[]): readonly Case[] {
  return inject('extent') === 'nightly' ? cases.slice(1) : cases.slice(0, 1)
}
