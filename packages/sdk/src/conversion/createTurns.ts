/**
 * Creates turns, which run the conversions of one token and account one after the other. Two at once would sign the same
 * nonce, or overwrite each other's approval.
 */
export function createTurns(): Turns {
  const lines = new Map<string, Line>()
  return (key) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), taken: 0, minBlock: 0 }
    lines.set(key, line)
    const begin = line.last
    const isNext = line.taken === 0
    line.taken += 1
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = () => {
        line.taken -= 1
        resolve()
      }
    })
    // An aborted turn may end before it began. The next turn waits for all previous turns anyway.
    line.last = begin.then(() => ended)
    return { begin, isNext, end: () => end(), line }
  }
}

/** Takes the next turn of a key. */
export type Turns = (key: string) => Turn

/** A turn of a conversion. It begins when `begin` resolves, and lasts until `end` is called. */
export type Turn = {
  /** Resolves when all previous turns have ended. */
  readonly begin: Promise<void>
  /** Whether no other turn was taken, so that this turn begins at once. */
  readonly isNext: boolean
  /** Ends the turn. Called once. */
  end(): void
  /** The line in which the turn waits. All turns of a key share it. */
  readonly line: Line
}

type Line = {
  last: Promise<void>
  /** How many turns have not ended. */
  taken: number
  /** Number of the newest block with a transaction of this line. Older blocks have another allowance. */
  minBlock: number
}
