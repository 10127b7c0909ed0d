import { expect, it } from 'vitest'
import { createHeadSelector } from './createHeadSelector.ts'
import type { Head } from './Head.ts'

const hashOf = (number: bigint, fork: number) => `0x${fork}${number.toString(16).padStart(63, '0')}` as const

const headOf = (number: bigint, fork = 0, parentFork = fork): Head => ({
  number,
  hash: hashOf(number, fork),
  parentHash: hashOf(number - 1n, parentFork),
  timestampSeconds: number,
})

it('a restored head forgets the heads that came after it, and remembers its own ancestors', () => {
  const selector = createHeadSelector({ maxAgeMs: 10_000, now: () => 0 })
  for (const number of [1n, 2n, 3n, 4n]) selector.accept(headOf(number))
  const [wrong, right] = [headOf(2n, 1), headOf(4n)]
  for (const head of [wrong, headOf(9n, 1)]) selector.accept(head)
  selector.restore({ head: right, confirmedAtMs: 0 })
  expect(selector.state()).toEqual({ head: right, confirmedAtMs: 0 })
  expect([wrong, headOf(9n, 1)].map(selector.isAncestor)).toEqual([false, false])
  expect([1n, 2n, 3n, 4n].map((number) => selector.isAncestor(headOf(number)))).toEqual([true, true, true, true])
  // A node that lags does not move the head back, and a node that announces the wrong head again does.
  expect(selector.accept(headOf(3n))).toBe(right)
  expect(selector.accept(wrong)).toBe(wrong)
})
