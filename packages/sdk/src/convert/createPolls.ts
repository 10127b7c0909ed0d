import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'

const firstPauseMs = 200
const maxPauseMs = 4000
const growth = 1.5
const maxOutageMs = 60_000

/** Polls at growing intervals, and bears failures that pass. */
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

export type Polls = {
  /** Reads once. A failure that can pass is undefined, until it has lasted for a minute. */
  tolerate<Value>(read: () => Promise<Value>): Promise<Value | undefined>
  /** Waits before the next poll: short at first, and again from when the transaction is mined. */
  pause(progress: { readonly isMined: boolean }): Promise<void>
}
