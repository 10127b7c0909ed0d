const maxMs = 2 ** 48 - 1

/** Returns a new UUID of version 7. Ids sort by their time. */
export function create(atMs: number): string {
  return `${toPrefix(atMs)}-7${crypto.randomUUID().slice(15)}`
}

/** Returns the smallest id of a time or later. */
export function first(atMs: number): string {
  return `${toPrefix(atMs)}-7000-8000-000000000000`
}

function toPrefix(atMs: number): string {
  const hex = Math.min(Math.max(0, Math.floor(atMs)), maxMs)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
