import { expect, it } from 'vitest'
import { findObstacle } from './findObstacle.ts'

const ready = {
  hasFault: false,
  hasTokens: true,
  key: 'usable',
  isConverting: false,
  followed: undefined,
  amount: 'amount',
  hasFailed: false,
  isCurrent: true,
  isExpired: false,
  issues: [undefined],
} as const

it('a current quote can be converted even without an allowance', () => {
  expect(findObstacle(ready)).toBeUndefined()
})

it.each([
  [{ hasFault: true, hasTokens: false }, 'Waiting for the connection…'],
  [{ key: 'missing', hasTokens: false }, 'Enter an API key.'],
  [{ key: 'read-only' }, 'This API key may only read. Use another key to convert.'],
  [{ hasTokens: false, amount: 'empty' }, 'Loading tokens…'],
  [{ isConverting: true }, 'A conversion is running.'],
  [{ followed: 'tAUD' }, 'A tAUD conversion is still pending. Wait for it or stop it.'],
  [{ amount: 'empty', isCurrent: false }, 'Enter an amount.'],
  [{ amount: 'invalid', isCurrent: false }, 'Correct the amount.'],
  [{ hasFailed: true, isCurrent: false }, 'No quote available'],
  [{ isCurrent: false }, 'Getting a quote…'],
  [{ isExpired: true }, 'Quote expired'],
  [{ issues: [undefined, 'The wallet does not hold enough tAUD.'] }, 'The wallet does not hold enough tAUD.'],
] as const)('with %j the reason is: %s', (change, reason) => {
  expect(findObstacle({ ...ready, ...change })).toBe(reason)
})
