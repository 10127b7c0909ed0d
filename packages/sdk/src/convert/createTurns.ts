/**
 * Runs the conversions of one token and account one after the other. Two at once would sign the same nonce, or
 * overwrite each other's approval.
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
    // An aborted turn may end before it began. The next turn waits for all previous turns anyway.
    line.last = begin.then(() => ended)
    return { begin, end: () => end(), line }
  }
}

/** Takes the next turn of a key. */
export type Turns = (key: string) => Turn

export type Turn = {
  /** Resolves when all previous turns have ended. */
  readonly begin: Promise<void>
  end(): void
  readonly line: Line
}

type Line = {
  last: Promise<void>
  /** Number of the newest block with a transaction of this line. Older blocks have another allowance. */
  minBlock: number
}
