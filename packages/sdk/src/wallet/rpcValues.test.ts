import { expect, it } from 'vitest'
import { parseHex } from './rpcValues.ts'

const bytes = `0x${'Ab'.repeat(8 * 1024 * 1024)}`

it('bytes of 8 MB are returned in lower case', () => {
  expect(parseHex(bytes, 'eth_call') === bytes.toLowerCase()).toBe(true)
})

it.each([
  ['half a byte', `${bytes}0`],
  ['another character', `${bytes}0g`],
])('error: bytes of 8 MB with %s are an invalid response', (_, value) => {
  expect(() => parseHex(value, 'eth_call')).toThrow('Cannot read the response to eth_call')
})
