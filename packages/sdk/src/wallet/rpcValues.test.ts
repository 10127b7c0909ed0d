import { expect, it } from 'vitest'
import { parseHex, parseQuantity } from './rpcValues.ts'

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

it.each([
  ['a bigint', 1n],
  ['a function', () => {}],
  ['a circle', createCircle()],
])('error: %s is an invalid response, although it cannot be written as JSON', (_, value) => {
  expect(() => parseQuantity(value, 'eth_chainId')).toThrow('Cannot read the response to eth_chainId')
})

function createCircle(): object {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  return circle
}
