import { AgioError } from '@agio/sdk'
import { expect, it } from 'vitest'
import { toRetryDelayMs } from './toRetryDelayMs.ts'

const passing = { retryable: true, action: 'wait' } as const

it('a limit is waited for as long as the service says', () => {
  const fields = { ...passing, retryAfterSeconds: 812 }
  const error = new AgioError('svc/rate-limited', '', { ...fields, details: { retryAfterSeconds: 812 } })
  expect(toRetryDelayMs(error)).toBe(812_000)
  expect(toRetryDelayMs(new Error('wrapped', { cause: error }))).toBe(812_000)
})

it('a limit of a month does not overflow the timer', () => {
  const fields = { ...passing, retryAfterSeconds: 2_600_000 }
  const error = new AgioError('svc/quota-exceeded', '', { ...fields, details: { retryAfterSeconds: 2_600_000 } })
  expect(toRetryDelayMs(error)).toBeLessThan(2 ** 31)
})

it('a temporary error is retried at most every 20 seconds if a retry costs a call', () => {
  expect(toRetryDelayMs(new AgioError('svc/pool-frozen', '', { ...passing, details: {} }))).toBe(20_000)
  const unreachable = { retryable: true, action: 'retry', details: { url: '/trpc' } } as const
  expect(toRetryDelayMs(new AgioError('network/unreachable', '', unreachable))).toBe(5000)
})

it('a node that recovers within seconds is not requested so soon', () => {
  const error = new AgioError('svc/upstream-unavailable', '', { ...passing, retryAfterSeconds: 2, details: {} })
  expect(toRetryDelayMs(error)).toBe(20_000)
})

it('an error that only the user can resolve is not retried', () => {
  const error = new AgioError('svc/no-route', '', { retryable: false, action: 'fix_input', details: {} })
  expect(toRetryDelayMs(error)).toBeUndefined()
})

it('an error of a wallet or of a node, which no code explains, is not final', () => {
  expect(toRetryDelayMs(new Error('The wallet cannot reach its node'))).toBe(5000)
})

it.each([undefined, null])('a query without an error (%s) is not read early', (error) => {
  expect(toRetryDelayMs(error)).toBeUndefined()
})
