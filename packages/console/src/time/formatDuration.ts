const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/**
 * Formats a duration with its two largest units: `45 s`, `3 min 20 s`, `2 h 5 min`. Negative durations are shown as
 * zero.
 */
export function formatDuration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.slice(0, 2).join(' ') || '0 s'
}
