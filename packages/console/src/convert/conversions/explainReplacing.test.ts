import { expect, it } from 'vitest'
import { explainReplacing } from './explainReplacing.ts'

it.each([
  ['svc/already-mined', 'The transaction was mined meanwhile'],
  ['svc/transaction-not-found', 'The wallet has it pending no more'],
  ['convert/mismatch', 'The service built something else'],
  ['wallet/rejected', 'You refused in the wallet'],
  ['wallet/nonce-changed', 'The wallet sent it with another nonce'],
])('%s of a replacement: %s', (code, title) => {
  expect(explainReplacing({ code, message: 'It failed' })).toMatchObject({ title })
})
