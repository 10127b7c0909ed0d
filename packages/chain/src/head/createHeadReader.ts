import type { ServiceError } from '@agio/core'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import type { Head } from './Head.ts'

/** Reads the newest block and records the outcome of each read. */
export function createHeadReader({ read: readAny, accept, getSlowMs, now }: createHeadReader.Dependencies) {
  const pending = new Set<StartedRead>()
  let refreshing: Promise<Head> | undefined
  let startedAtMs = -Infinity
  let last: Outcome = { startedAtMs: -Infinity, slowAfterMs: getSlowMs(), durationMs: undefined, error: undefined }

  function recordOutcome(read: StartedRead, error?: ServiceError): void {
    pending.delete(read)
    // If a later read has ended first, the result of this read no longer describes the node.
    if (read.startedAtMs >= last.startedAtMs) last = { ...read, durationMs: now() - read.startedAtMs, error }
  }
  async function read(request: () => Promise<Head>): Promise<Head> {
    startedAtMs = now()
    const current = { startedAtMs, slowAfterMs: getSlowMs() }
    pending.add(current)
    try {
      const answer = await request()
      recordOutcome(current)
      return accept(answer)
    } catch (error) {
      const failure = toUpstreamError(error)
      recordOutcome(current, failure)
      throw failure
    }
  }
  return {
    /** Returns when the last read began, in milliseconds; `-Infinity` before the first read. */
    startedAtMs: () => startedAtMs,
    /** Makes a request to one node, and returns the current head afterwards. @throws `svc/upstream-*` */
    read,
    /** Reads from any node now. Concurrent calls share one read. @throws `svc/upstream-*` */
    refresh(): Promise<Head> {
      refreshing ??= read(readAny).finally(() => (refreshing = undefined))
      return refreshing
    },
    state(): ReadState {
      const [oldest] = pending
      const { slowAfterMs } = oldest ?? last
      return { error: last.error, pendingSinceMs: oldest?.startedAtMs, lastReadMs: last.durationMs, slowAfterMs }
    },
  }
}

export declare namespace createHeadReader {
  type Dependencies = {
    /** Reads the newest block from any node. */
    readonly read: () => Promise<Head>
    /** Takes a head from a response or a notice of a node. @returns the current head afterwards */
    readonly accept: (answer: Head) => Head
    /** Returns after how many milliseconds a read that begins now is slow. */
    readonly getSlowMs: () => number
    readonly now: () => number
  }
}

/** The outcome of the reads of the newest block. Times are in milliseconds. */
export type ReadState = {
  /** The error of the last read; undefined once a read has succeeded. */
  readonly error: ServiceError | undefined
  /** When the oldest pending read began; undefined if no read is pending. */
  readonly pendingSinceMs: number | undefined
  /** How long the last read took to succeed or fail; undefined before the first read has ended. */
  readonly lastReadMs: number | undefined
  /** After how many milliseconds the pending read counts as slow, or the last one if no read is pending. */
  readonly slowAfterMs: number
}

type StartedRead = { readonly startedAtMs: number; readonly slowAfterMs: number }

type Outcome = StartedRead & {
  readonly durationMs: number | undefined
  readonly error: ServiceError | undefined
}
