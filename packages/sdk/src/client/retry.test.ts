import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgioError } from '../errors/AgioError.ts'
import { retry } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Failure = Partial<Pick<AgioError, 'retryable' | 'action' | 'retryAfterSeconds'>>

const errorOf = (failure: Failure = {}) =>
  new AgioError('svc/internal', 'svc/internal: Cannot answer', {
    details: {},
    retryable: true,
    action: 'retry',
    ...failure,
  })

/** Runs a call that always fails, and returns the time of each attempt in milliseconds. */
async function recordAttempts(thrown: unknown, options: Partial<retry.Options> = {}): Promise<readonly number[]> {
  const startMs = Date.now()
  const attemptsMs: number[] = []
  const call = async () => {
    attemptsMs.push(Date.now() - startMs)
    throw thrown
  }
  const failed = retry(call, { maxRetries: 3, random: () => 1, ...options }).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await failed).toBe(thrown)
  return attemptsMs
}

describe('a call that fails', () => {
  it('the wait before a retry doubles, up to five seconds', async () => {
    expect(await recordAttempts(errorOf())).toEqual([0, 200, 600, 1400])
    const attempts = await recordAttempts(errorOf(), { maxRetries: 8 })
    expect(attempts.slice(6).map((at, index) => at - (attempts[index + 5] ?? 0))).toEqual([5000, 5000, 5000])
  })

  it('the wait before a retry is random from nothing to its most, so that clients part', async () => {
    expect(await recordAttempts(errorOf(), { random: () => 0 })).toEqual([0, 0, 0, 0])
    expect(await recordAttempts(errorOf(), { random: () => 0.5 })).toEqual([0, 100, 300, 700])
  })

  it.each(['retry', 'wait'] as const)(
    'a retry with the action %s comes after what Retry-After says',
    async (action) => {
      const error = errorOf({ action, retryAfterSeconds: 30 })
      expect(await recordAttempts(error, { random: () => 0 })).toEqual([0, 30_000, 60_000, 90_000])
      expect(await recordAttempts(error, { maxRetries: 1 })).toEqual([0, 30_200])
    },
  )

  it.each<[string, unknown]>([
    ['that is not retryable', errorOf({ retryable: false })],
    ['to wait for an unknown time', errorOf({ action: 'wait' })],
    ['to quote again', errorOf({ action: 'requote' })],
    ['with a Retry-After of more than 30 s', errorOf({ retryAfterSeconds: 31 })],
    ['that is not of the client', new TypeError('Cannot call undefined')],
  ])('an error %s is thrown at once', async (_, error) => {
    expect(await recordAttempts(error)).toEqual([0])
  })

  it('a call is never repeated with no retries', async () => {
    expect(await recordAttempts(errorOf(), { maxRetries: 0 })).toEqual([0])
  })

  it('a call that succeeds at last returns its result', async () => {
    let calls = 0
    const result = retry(
      async () => {
        calls += 1
        if (calls < 3) throw errorOf()
        return calls
      },
      { maxRetries: 3 },
    )
    await vi.runAllTimersAsync()
    expect(await result).toBe(3)
  })

  it('a signal ends the wait at once, with its reason and no timer left', async () => {
    const stop = new AbortController()
    const reason = new Error('stopped')
    const failing = () => Promise.reject(errorOf({ retryAfterSeconds: 20 }))
    const failed = retry(failing, { maxRetries: 3, signal: stop.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1000)
    stop.abort(reason)
    expect(await failed).toBe(reason)
    expect(vi.getTimerCount()).toBe(0)
  })
})
