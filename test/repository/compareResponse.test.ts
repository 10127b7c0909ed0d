import { describe, expect, it } from 'vitest'
import { compareResponse, isShownAs } from './compareResponse.ts'

const real = JSON.stringify({
  quote: 'Y8ckcb.eyJ2',
  expiresAt: '2026-11-24T15:01:05.000Z',
  amountOut: '65.087440',
  route: [{ address: '0x9A67' }, { address: '0x59b6' }, { address: '0x0165' }],
  market: null,
})

describe('a response that a document shows', () => {
  it('may be cut in its texts, fields and lists', () => {
    const shown =
      '{ "quote": "Y8ckcb…", "amountOut": "65.087440", "route": [{ "address": "0x9A67" }, …, { "address": "0x0165" }], … }'
    expect(compareResponse(shown, real)).toEqual([])
  })

  it('may have another time than the real response, in the same form', () => {
    expect(compareResponse('{ "expiresAt": "2025-01-01T00:00:00.000Z", … }', real)).toEqual([])
    expect(compareResponse('{ "expiresAt": "tomorrow", … }', real)).toHaveLength(1)
  })

  it.each([
    ['a field that does not exist', '{ "amount": "65.087440", … }', '.amount: 65.087440, but it is undefined'],
    ['another value', '{ "amountOut": "65", … }', '.amountOut: 65, but it is "65.087440"'],
    ['another type', '{ "market": "null", … }', '.market: null, but it is null'],
    ['too few elements', '{ "route": [{ "address": "0x9A67" }], … }', '.route: 1 elements, but there are 3'],
    ['another element', '{ "route": [{ "address": "0x1" }, …], … }', '.route[0].address: 0x1, but it is "0x9A67"'],
    ['a list for an object', '{ "quote": [], … }', '.quote: a list, but it is "Y8ckcb.eyJ2"'],
    ['an object for a text', '{ "quote": { … }, … }', '.quote: an object, but it is "Y8ckcb.eyJ2"'],
  ])('is refused with %s', (_, shown, difference) => {
    expect(compareResponse(shown, real)).toEqual([difference])
  })

  it('is refused if it leaves out fields without a mark', () => {
    const [first] = compareResponse('{ "amountOut": "65.087440" }', real)
    expect(first).toBe('.quote: left out without …')
  })
})

it('a text that a document shows may be cut anywhere, also over lines', () => {
  expect(isShownAs('event: prices\n…"index":0…', 'event: prices\nid: 7\ndata: {"index":0}')).toBe(true)
  expect(isShownAs('event: quote\n…', 'event: prices\n')).toBe(false)
})
