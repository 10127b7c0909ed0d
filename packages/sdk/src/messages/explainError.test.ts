import { expect, it } from 'vitest'
import { clientError } from '../errors/AgioError.ts'
import { userMessages } from '../errors/userMessages.ts'
import { explainError } from './explainError.ts'

const failure = { code: 'svc/internal', message: 'It failed', details: {} }

it('an error says what happened and what to do next', () => {
  const details = { amountIn: '9000000', maxAmountIn: '767813.267813' }
  expect(explainError({ ...failure, code: 'svc/above-max-origin', details, action: 'fix_input' })).toEqual({
    title: 'The pool cannot convert that much',
    next: 'It takes at most 767,813.267813 now. Enter a smaller amount.',
    tone: 'danger',
  })
})

it('an error without its optional details is explained, too', () => {
  expect(explainError({ ...failure, code: 'svc/above-max-origin' }).next).toBe('Enter a smaller amount.')
  expect(explainError({ ...failure, code: 'svc/insufficient-balance' }).next).not.toMatch(/undefined/)
})

it.each(['1'.repeat(100_000), 'all you have', ''])('an amount that is not one is left out (case %#)', (required) => {
  const details = { required, current: '1' }
  const { next } = explainError({ ...failure, code: 'svc/insufficient-balance', details })
  expect(next).toBe('Add funds to the wallet first.')
})

it('an unknown code is explained by its action, else by its message', () => {
  expect(explainError({ ...failure, code: 'svc/new', action: 'wait' }).next).toBe('Try again later.')
  expect(explainError({ ...failure, code: 'svc/new' }).next).toBe('It failed')
})

it('an error after which a transaction may have been sent says so, for any code', () => {
  expect(explainError({ ...failure, code: 'wallet/rejected', action: 'resume' }).next).toMatch(/Resume it/)
})

it.each([
  ['svc/stale-price', { reason: 'age' }, 'The price is too old'],
  ['svc/stale-price', {}, 'The price is too old'],
  ['svc/stale-price', { reason: 'bounds' }, 'The price is implausible'],
  ['svc/stale-price', { reason: 'step' }, 'The price has changed a lot'],
  ['svc/stale-price', { reason: 'sequencer' }, 'The network was interrupted'],
  ['svc/reference-depegged', { answer: '0.97000000' }, 'The dollar token is not worth a dollar'],
  ['wallet/failed', { walletCode: 4901 }, 'The wallet cannot reach the network'],
  ['wallet/failed', { walletCode: -32_000 }, 'The wallet failed'],
  ['convert/replaced', { kind: 'cancel' }, 'The transaction was cancelled'],
  ['convert/replaced', { kind: 'same-intent' }, 'The wallet sent another conversion instead'],
  ['convert/replaced', {}, 'The wallet sent another transaction instead'],
  ['wallet/wrong-chain', { expected: 1 }, 'The wallet cannot reach the network'],
  ['wallet/wrong-chain', { expected: 1, actual: 2 }, 'The wallet is on another network'],
])('%s with %j: %s', (code, details, title) => {
  expect(explainError({ ...failure, code, details })).toMatchObject({ title })
})

it.each([
  ['svc/nonce-too-low', 'fix_input', 'Correct the request.'],
  ['svc/underpriced', 'fix_input', 'Correct the request.'],
  ['svc/request-timeout', 'retry', 'Try again.'],
] as const)('%s, which users of the page do not meet, is explained by its action', (code, action, next) => {
  expect(explainError({ ...failure, code, action })).toMatchObject({ next, tone: 'danger' })
})

it('an error of the SDK is explained under the title of its short text', () => {
  const error = clientError('convert/mismatch', 'Cannot convert', { field: 'amountOut', expected: '2', actual: '1' })
  const { title, next } = explainError(error)
  expect(title).toBe(userMessages['convert/mismatch'])
  expect(`${title}. ${next}`).toBe(error.userMessage)
})

it('every code is explained by a title and by sentences', () => {
  for (const code of Object.keys(userMessages)) {
    const { title, next } = explainError({ ...failure, code, action: 'wait' })
    expect(title, code).not.toMatch(/\.$|undefined/)
    expect(next, code).toMatch(/^[A-Z].*\.$/)
    expect(next, code).not.toContain('undefined')
  }
})
