import { formatDuration } from '../../time/formatDuration.ts'

const units: Readonly<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour', 86_400: 'day' }

/** Formats the length of a window to follow "per": `second`, `minute`, `15 min`. */
export function formatPeriod(seconds: number): string {
  return units[seconds] ?? formatDuration(seconds)
}
