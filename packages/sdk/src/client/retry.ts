import { isAgioError, type AnyAgioError } from '../errors/AgioError.ts'
import { wait } from './withSignal.ts'

const firstDelayMs = 200
const maxDelayMs = 5000
const maxRetryAfterSeconds = 30

/**
 * Retries a call as long as its error says that the same call can succeed within seconds. Each delay is at least the
 * time that the service demands, plus a random time that grows with each attempt, so that clients do not return all at
 * once.
 *
 * @throws the last error of the call, or the reason of the signal
 */
export async function retry<Result>(
  call: () => Promise<Result>,
  { maxRetries, signal, random = Math.random }: retry.Options,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (attempt >= maxRetries || !isAgioError(error) || !isTransient(error)) throw error
      await wait(toDelayMs(error, { attempt, random }), signal)
    }
  }
}

export declare namespace retry {
  type Options = {
    /** Largest number of retries. */
    readonly maxRetries: number
    /** Stops waiting. */
    readonly signal?: AbortSignal | undefined
    /** Returns a number from 0 to 1. */
    readonly random?: () => number
  }
}

function isTransient({ retryable, action, retryAfterSeconds }: AnyAgioError): boolean {
  return retryable && (retryAfterSeconds === undefined ? action === 'retry' : retryAfterSeconds <= maxRetryAfterSeconds)
}

type Attempt = { readonly attempt: number; readonly random: () => number }

function toDelayMs({ retryAfterSeconds = 0 }: AnyAgioError, { attempt, random }: Attempt): number {
  return retryAfterSeconds * 1000 + random() * Math.min(firstDelayMs * 2 ** attempt, maxDelayMs)
}
