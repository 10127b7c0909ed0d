import { expect, it } from 'vitest'
import { createWriteBuffer, type Count } from './createWriteBuffer.ts'

const count: Count = {
  keyId: 'key',
  day: '2026-01-31',
  operation: 'pools.list',
  calls: 1,
  refused: 0,
  lastCallAtMs: 1000,
}

it('the write buffer sums calls by key, day and operation', () => {
  const buffer = createWriteBuffer(10)
  const others: readonly Count[] = [
    { ...count, keyId: 'other' },
    { ...count, day: '2026-02-01' },
    { ...count, operation: 'oracle.price' },
  ]
  for (const one of [count, ...others, { ...count, calls: 4, refused: 2, lastCallAtMs: 2000 }]) buffer.add(one)
  expect(buffer.size).toBe(4)
  expect(buffer.sumCalls()).toBe(8)
  expect(buffer.take()).toEqual([{ ...count, calls: 5, refused: 2, lastCallAtMs: 2000 }, ...others])
})

it('the write buffer keeps the time of the last admitted call when a later one is refused', () => {
  const buffer = createWriteBuffer(10)
  buffer.add(count)
  buffer.add({ ...count, calls: 0, refused: 1, lastCallAtMs: undefined })
  expect(buffer.take()).toEqual([{ ...count, refused: 1 }])
})

it('the write buffer is empty after its counts are taken, and does not change them any more', () => {
  const buffer = createWriteBuffer(10)
  buffer.add(count)
  const taken = buffer.take()
  buffer.add(count)
  expect(taken).toEqual([count])
  expect(buffer.take()).toEqual([count])
  expect(buffer.size).toBe(0)
})

it('a full write buffer drops new combinations, and continues to count the combinations that it holds', () => {
  const buffer = createWriteBuffer(1)
  expect(buffer.add(count)).toBe(true)
  expect(buffer.add({ ...count, operation: 'oracle.price' })).toBe(false)
  expect(buffer.add(count)).toBe(true)
  expect(buffer.take()).toEqual([{ ...count, calls: 2 }])
})
