import { expect, it } from 'vitest'
import { explainReplacing } from './explainReplacing.ts'

it.each([
  ['svc/already-mined', 'The transaction was already mined'],
  ['svc/transaction-not-found', 'This transaction is no longer pending'],
  ['convert/mismatch', 'The service returned a different transaction'],
  ['wallet/rejected', 'You rejected the request in your wallet'],
  ['wallet/nonce-changed', 'The wallet used another nonce'],
])('%s of a replacement: %s', (code, title) => {
  expect(explainReplacing({ code, message: 'It failed' })).toMatchObject({ title })
})
