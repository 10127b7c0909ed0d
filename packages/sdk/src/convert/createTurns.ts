/**
 * Lets the conversions of one token of one account take turns: two at once would sign the same nonce, or approve over each other.
 */
export function createTurns(): Turns {
  const lines = new Map<string, Line>()
  return (key) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), minBlock: 0 }
    lines.set(key, line)
    const begin = line.last
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    // One that ends before its turn, since it was aborted, does not let the next begin earlier.
    line.last = begin.then(() => ended)
    return { begin, end: () => end(), line }
  }
}

/** Takes the next turn of a key. */
export type Turns = (key: string) => Turn

export type Turn = {
  /** Resolves when all turns before have ended. */
  readonly begin: Promise<void>
  end(): void
  readonly line: Line
}

type Line = {
  last: Promise<void>
  /** Number of the newest block that a transaction of the line was mined in: an older one has another allowance. */
  minBlock: number
}
