import { expect, it } from 'vitest'
import type { HttpExchange } from '../http/HttpExchange.ts'
import { createRequestLimiter } from './createRequestLimiter.ts'

const from = (forwarded: string) =>
  ({
    request: { headers: new Headers({ 'x-forwarded-for': forwarded }) },
    address: '192.0.2.9',
  }) as unknown as HttpExchange

it('an address may have as many requests in progress as the limit, regardless of other addresses', () => {
  const { begin, end, error } = createRequestLimiter({ maxRequestsPerAddress: 2, trustedProxies: 1 })
  expect([begin(from('10.0.0.1')), begin(from('10.0.0.1'))]).toEqual(['10.0.0.1', '10.0.0.1'])
  expect(begin(from('10.0.0.1'))).toBeUndefined()
  expect(begin(from('10.0.0.2'))).toBe('10.0.0.2')
  end('10.0.0.1')
  expect(begin(from('10.0.0.1'))).toBe('10.0.0.1')
  expect(error).toMatchObject({ code: 'svc/rate-limited', details: { retryAfterSeconds: 1 } })
})

it('an address whose requests have ended may have as many again, also after many others', () => {
  const { begin, end } = createRequestLimiter({ maxRequestsPerAddress: 1, trustedProxies: 1 })
  const addresses = Array.from({ length: 2000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
  for (const address of addresses) {
    expect(begin(from(address))).toBe(address)
    end(address)
  }
  expect(addresses.map((address) => begin(from(address)))).toEqual(addresses)
  expect(addresses.map((address) => begin(from(address)))).toEqual(addresses.map(() => undefined))
})

it('an entry of a proxy that is not an address is logged once', () => {
  const logged: object[] = []
  const log = { info: () => {}, error: (fields: object) => void logged.push(fields) }
  const { begin } = createRequestLimiter({ maxRequestsPerAddress: 5, trustedProxies: 1, log })
  for (const forwarded of ['203.0.113.9:51234', 'unknown', '0xcb007109']) {
    begin(from(forwarded))
  }
  expect(logged).toEqual([{ entry: 'unknown' }])
})
