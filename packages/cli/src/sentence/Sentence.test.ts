import { expect, it, test } from 'vitest'
import { parse } from './Sentence.ts'

it('an amount before both tokens is paid, and one between them is received with --exact-out', () => {
  expect(parse(['100', 'tAUD', 'tUSD'])).toEqual({ amountIn: '100', tokenIn: 'tAUD', tokenOut: 'tUSD' })
  const exactOut = { tokenIn: 'tAUD', amountOut: '0.5', tokenOut: 'tUSD' }
  expect(parse(['tAUD', '0.5', 'tUSD'], { exactOut: true })).toEqual(exactOut)
})

test.each([
  [['100', 'tAUD'], false, 'Name an amount and two tokens'],
  [['tAUD', '65', 'tUSD'], false, 'Pass --exact-out to receive an exact amount'],
  [['-1', 'tAUD', 'tUSD'], false, "'-1' is not a number"],
  [['100', 'tAUD', 'tUSD'], true, 'With --exact-out the amount is the second word'],
])('error: the words %j with exactOut %s are refused, and the error says what to write', (words, exactOut, message) => {
  expect(() => parse(words, { exactOut })).toThrow(message)
})
