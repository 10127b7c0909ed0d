/** The longest time between two successive moments, for which the machine may have stalled. */
export function longestGapMs(momentsMs: readonly number[]): number {
  return momentsMs.reduce((longest, atMs, index) => Math.max(longest, atMs - (momentsMs[index - 1] ?? atMs)), 0)
}
