import { inject } from 'vitest'

/**
 * Returns the part of a matrix that a run tests: its first cases by default, the others in the nightly run. For a matrix
 * whose cases take the same paths through the service or the SDK.
 */
export function partOf<Case>(cases: readonly Case[], count = 1): readonly Case[] {
  return inject('extent') === 'nightly' ? cases.slice(count) : cases.slice(0, count)
}
