/**
 * Creates turns, which run the conversions of one token and account one after the other. Two at once would sign the same
 * nonce, or overwrite each other's approval.
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

/** A turn of a conversion. It begins when `begin` resolves, and lasts until `end` is called. */
export type Turn = {
  /** Resolves when all previous turns have ended. */
  readonly begin: Promise<void>
  end(): void
  /** The line in which the turn waits. All turns of a key share it. */
  readonly line: Line
}

type Line = {
  last: Promise<void>
  /** Number of the newest block with a transaction of this line. Older blocks have another allowance. */
  minBlock: number
}

/**
 * Runs a conversion under a lock for all pages of an origin and all threads of a process. If the conversion runs
 * elsewhere, it waits until that run has ended, and then finds what that run sent. Without Web Locks it runs at once.
 *
 * @throws the reason of the signal if it is aborted while another run holds the lock
 */
export async function lockConversion<Result>(
  conversionId: string,
  run: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { locks } = (globalThis as { readonly navigator?: { readonly locks?: Locks } }).navigator ?? {}
  if (!locks) return await run()
  let hasBegun = false
  const begin = async () => {
    hasBegun = true
    return await run()
  }
  try {
    return await locks.request(`agio:${conversionId}`, signal ? { signal } : {}, begin)
  } catch (error) {
    // Sandboxed pages have locks that reject every request.
    if (hasBegun || signal?.aborted) throw error
    return await begin()
  }
}

/** The used part of the Web Locks API. */
type Locks = {
  request<Result>(name: string, options: { readonly signal?: AbortSignal }, run: () => Promise<Result>): Promise<Result>
}
