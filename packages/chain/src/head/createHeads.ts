import type { Hex } from 'viem'
import { toUpstreamError } from '../rpc/toUpstreamError.ts'

const busyPollMs = 500
const idlePollMs = 1000
/** How long after a use the chain counts as busy. */
const busyForMs = 10_000

/** The newest block that a node has confirmed. */
export type Head = {
  readonly number: bigint
  readonly hash: Hex
  readonly timestampSeconds: bigint
}

/**
 * Follows a chain's newest block: two polls a second while it is in use, one while it is idle.
 *
 * @param settings.read asks a node for its newest block
 * @param settings.maxAgeMs how long an unconfirmed head may still be used
 */
export function createHeads({ read, maxAgeMs, now = Date.now }: createHeads.Settings): Heads {
  let head: Head | undefined
  let confirmedAtMs = -Infinity
  let usedAtMs = now()
  let reading: Promise<Head> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastError: Error | undefined
  let waiting: (() => void)[] = []
  let stopped = false

  function refresh(): Promise<Head> {
    reading ??= readHead().finally(() => (reading = undefined))
    return reading
  }
  async function readHead(): Promise<Head> {
    try {
      const newest = await read()
      confirmedAtMs = now()
      lastError = undefined
      if (newest.hash !== head?.hash) {
        head = newest
        wake()
      }
      return head
    } catch (error) {
      lastError = toUpstreamError(error)
      throw lastError
    }
  }
  function wake(): void {
    const woken = waiting
    waiting = []
    for (const resolve of woken) resolve()
  }
  function poll(): void {
    if (stopped) return
    timer = setTimeout(() => void refresh().then(poll, poll), now() - usedAtMs < busyForMs ? busyPollMs : idlePollMs)
  }
  poll()

  return {
    async get() {
      usedAtMs = now()
      if (head && now() - confirmedAtMs <= maxAgeMs) return head
      return await refresh()
    },
    refresh,
    async next(timeoutMs, seen) {
      usedAtMs = now()
      if (stopped || head?.hash !== seen) return !stopped
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, timeoutMs)
        waiting.push(() => {
          clearTimeout(timeout)
          resolve()
        })
      })
      return !stopped
    },
    state: () => ({ head, confirmedAtMs, error: lastError }),
    stop() {
      clearTimeout(timer)
      stopped = true
      wake()
    },
  }
}

export declare namespace createHeads {
  type Settings = {
    readonly read: () => Promise<Head>
    readonly maxAgeMs: number
    readonly now?: (() => number) | undefined
  }
}

export type Heads = {
  /** The newest head; asks a node only if none has confirmed it for `maxAgeMs`. @throws `svc/upstream-*` */
  get(): Promise<Head>
  /** Asks a node now, together with whoever else is asking. @throws `svc/upstream-*` */
  refresh(): Promise<Head>
  /** Resolves when the head is another one than `seen`, or after the time-out; with false once the polling has ended. */
  next(timeoutMs: number, seen: Hex | undefined): Promise<boolean>
  /** What is known without asking. */
  state(): { readonly head: Head | undefined; readonly confirmedAtMs: number; readonly error: Error | undefined }
  stop(): void
}
