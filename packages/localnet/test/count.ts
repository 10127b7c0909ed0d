import { appendFileSync } from 'node:fs'
import process from 'node:process'

/** Things that tests start and that cost processor time. */
export const counted = ['stacks', 'services', 'processes', 'deployments'] as const

export type Counted = (typeof counted)[number]

/** Counts something that a test starts, for the table at the end of the run. Does nothing outside of a run. */
export function count(name: Counted, number = 1): void {
  const { TEST_COUNTS_FILE: file, TEST_PROJECT: project = 'unknown' } = process.env
  if (file !== undefined) appendFileSync(file, `${project} ${name} ${number}\n`)
}
