/** The longest time between two moments that follow each other: for so long a machine may have stood still. */
export function longestGapMs(momentsMs: readonly number[]): number {
  return momentsMs.reduce((longest, atMs, index) => Math.max(longest, atMs - (momentsMs[index - 1] ?? atMs)), 0)
}
