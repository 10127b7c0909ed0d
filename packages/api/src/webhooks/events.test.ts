import { expect, it } from 'vitest'
import { formatEvent } from './events.ts'

it('a body of more than 20 kB leaves out why the transaction failed', () => {
  const failure = { message: 'x'.repeat(30_000) }
  const body = formatEvent({ type: 'transaction.failed', data: { nonce: 7, failure } }, 0)
  expect(JSON.parse(body)).toMatchObject({ type: 'transaction.failed', data: { nonce: 7 } })
  expect(body.length).toBeLessThan(20_000)
})
