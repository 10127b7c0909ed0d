import { expect, it } from 'vitest'
import { formatEvent } from './events.ts'

it('a body is type, time and data', () => {
  const body = formatEvent({ type: 'transaction.included', data: { nonce: 7 } }, Date.parse('2026-11-21T05:00:00Z'))
  expect(body).toBe('{"type":"transaction.included","timestamp":"2026-11-21T05:00:00.000Z","data":{"nonce":7}}')
})

it('a body of more than 20 kB leaves out why the transaction failed', () => {
  const failure = { message: 'x'.repeat(30_000) }
  const body = formatEvent({ type: 'transaction.failed', data: { nonce: 7, failure } }, 0)
  expect(JSON.parse(body)).toMatchObject({ type: 'transaction.failed', data: { nonce: 7 } })
  expect(body.length).toBeLessThan(20_000)
})
