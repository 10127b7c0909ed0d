import { expect, it } from 'vitest'
import { assertJson } from './createCaller.ts'

it.each([
  [{ tokenIn: '0x01', amountIn: 1n }, 'amountIn is a bigint'],
  [{ permit: { nonces: [0, 2n] } }, 'permit.nonces.1 is a bigint'],
  [3n, 'the input is a bigint'],
])('error: TypeError that names the field with a bigint', (input, state) => {
  const act = () => assertJson(input, 'convert.quote')
  expect(act).toThrow(TypeError)
  expect(act).toThrow(`Cannot call convert.quote: ${state}`)
})

it('an input of texts, numbers and nothing is JSON', () => {
  const circle: Record<string, unknown> = { amountIn: '1', slippageBps: 5, more: [null, undefined, true] }
  circle['self'] = circle
  for (const input of [circle, undefined, null, 'text']) expect(() => assertJson(input, 'convert.quote')).not.toThrow()
})
