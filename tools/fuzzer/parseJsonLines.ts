/**
 * Parses the response of a tRPC batch that is streamed as JSON lines.
 *
 * @returns the outcomes of its calls, in order
 * @throws `Error` if a line is not JSON, or an outcome is missing
 */
export function parseJsonLines(text: string): readonly unknown[] {
  const [head, ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  const chunks = new Map(
    lines.map((line) => {
      const [id, status, value] = JSON.parse(line) as Chunk
      return [id, { status, value }]
    }),
  )
  function decode([[data], ...deferred]: Encoded): unknown {
    let decoded = data
    for (const [name, , id] of deferred) {
      const chunk = chunks.get(id)
      if (chunk?.status !== 0) throw new Error(`Cannot parse the stream: chunk ${id} is missing or failed`)
      const value = decode(chunk.value)
      if (name === null) decoded = value
      else Object.assign(decoded as object, { [name]: value })
    }
    return decoded
  }
  return Object.values(JSON.parse(head ?? '') as Readonly<Record<number, Encoded>>).map(decode)
}

/** A value, whose deferred parts, or which itself, arrive as chunks. */
type Encoded = readonly [
  value: readonly unknown[],
  ...deferred: readonly [name: string | null, type: number, id: number][],
]

/** The status is 0 for a value, 1 for an error. */
type Chunk = readonly [id: number, status: number, value: Encoded]
