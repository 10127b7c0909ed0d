import { expect, it } from 'vitest'
import { isLagging } from './checkNode.ts'

const nowSeconds = 1_000_000

const headOf = (number: bigint, ageSeconds: number) => ({
  number,
  hash: `0x${'a'.repeat(64)}` as const,
  timestampSeconds: BigInt(nowSeconds - ageSeconds),
})

it.each([
  ['earlier and more than 15 s older', headOf(1n, 20), headOf(2n, 4), true],
  ['earlier and 15 s older', headOf(1n, 20), headOf(2n, 5), false],
  ['earlier and recent, and the other block is ahead of the wall clock', headOf(1n, 4), headOf(2n, -59), false],
  ['earlier and old, and the other block is ahead of the wall clock', headOf(1n, 16), headOf(2n, -59), true],
  ['of the same number', headOf(2n, 400), headOf(2n, 0), false],
  ['later', headOf(3n, 400), headOf(2n, 0), false],
])('a node whose block is %s lags or not', (_, head, newest, lags) => {
  expect(isLagging(head, newest, nowSeconds * 1000)).toBe(lags)
})
