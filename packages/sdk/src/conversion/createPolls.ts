import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'

const firstPauseMs = 200
const maxPauseMs = 4000
const growth = 1.5
const maxOutageMs = 60_000

/** Creates polls with growing intervals, which tolerate temporary failures. */
export function createPolls(run: ConversionRun): Polls {
  let pauseMs = firstPauseMs
  let minedAtMs: number | undefined
  let failedAtMs: number | undefined

  return {
    async tolerate(read) {
      try {
        const value = await read()
        failedAtMs = undefined
        return value
      } catch (error) {
        if (!isAgioError(error) || !error.retryable) throw error
        failedAtMs ??= Date.now()
        if (Date.now() - failedAtMs > maxOutageMs) throw error
        return undefined
      }
    },
    async pause({ isMined }) {
      if (isMined && minedAtMs === undefined) {
        minedAtMs = Date.now()
        pauseMs = firstPauseMs
      }
      await run.pause(pauseMs)
      pauseMs = Math.min(pauseMs * growth, maxPauseMs)
    },
  }
}

/** The polls of one wait. */
export type Polls = {
  /** Reads once. Returns undefined for a temporary failure, and throws it after a minute of failures. */
  tolerate<Value>(read: () => Promise<Value>): Promise<Value | undefined>
  /** Waits before the next poll. Delays are short at first, and again once the transaction is mined. */
  pause(progress: { readonly isMined: boolean }): Promise<void>
}
