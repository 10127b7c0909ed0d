import { expect, it } from 'vitest'
import { findObstacle } from './findObstacle.ts'

const ready = {
  hasFault: false,
  hasTokens: true,
  key: 'usable',
  isConverting: false,
  followed: undefined,
  emptyToken: undefined,
  amount: 'amount',
  hasFailed: false,
  isCurrent: true,
  isExpired: false,
  issues: [],
} as const

const short = { obstacle: 'The wallet does not hold enough tAUD.', remedy: 'fund' } as const
const approval = { obstacle: undefined, remedy: 'approve' } as const

it('a current quote can be converted even without an allowance', () => {
  expect(findObstacle({ ...ready, issues: [approval] })).toBeUndefined()
})

it.each([
  [{ hasFault: true, hasTokens: false }, 'Waiting for the connection…'],
  [{ key: 'missing', hasTokens: false }, 'Enter an API key.'],
  [{ key: 'read-only' }, 'This API key may only read. Use another key to convert.'],
  [{ hasTokens: false, amount: 'empty' }, 'Loading tokens…'],
  [{ isConverting: true }, 'A conversion is running.'],
  [{ followed: 'tAUD', emptyToken: 'tAUD' }, 'A tAUD conversion is still pending. Wait for it or stop it.'],
  [{ isCurrent: false, issues: [short] }, 'Getting a quote…'],
  [{ amount: 'empty', isCurrent: false }, 'Enter an amount.'],
  [{ amount: 'invalid', isCurrent: false }, 'Correct the amount.'],
  [{ hasFailed: true, isCurrent: false }, 'No quote available'],
  [{ isCurrent: false }, 'Getting a quote…'],
  [{ isExpired: true }, 'Quote expired'],
] as const)('with %j the reason is: %s', (change, reason) => {
  expect(findObstacle({ ...ready, ...change })).toEqual({ text: reason, isShort: false })
})

it.each([
  [{ emptyToken: 'tAUD', amount: 'empty', isCurrent: false }, 'This wallet holds no tAUD.'],
  [{ issues: [approval, short] }, 'The wallet does not hold enough tAUD.'],
] as const)('with %j the wallet needs tokens first: %s', (change, text) => {
  expect(findObstacle({ ...ready, ...change })).toEqual({ text, isShort: true })
})
