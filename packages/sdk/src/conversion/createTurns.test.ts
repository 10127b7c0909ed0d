import { expect, it } from 'vitest'
import { createTurns } from './createTurns.ts'

it('turns of a key begin one after the other, and turns of other keys at once', async () => {
  const take = createTurns()
  const [first, second, third] = [take('a'), take('a'), take('a')]
  expect([first, second, third, take('b')].map(({ isNext }) => isNext)).toEqual([true, false, false, true])
  const begun: number[] = []
  for (const [index, { begin }] of [first, second, third].entries()) void begin.then(() => begun.push(index))
  // A turn may end before it has begun.
  second.end()
  await first.begin
  expect(begun).toEqual([0])
  first.end()
  await third.begin
  expect(begun).toEqual([0, 1, 2])
  third.end()
  expect(take('a').isNext).toBe(true)
})
