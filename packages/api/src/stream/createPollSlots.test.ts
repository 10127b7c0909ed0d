import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPollSlots } from './createPollSlots.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a key has twenty polls at once and then two per second, and does not delay another key', async () => {
  const slots = createPollSlots()
  const starts: string[] = []
  for (let poll = 0; poll < 24; poll += 1) void slots.take('a').then(() => starts.push('a'))
  await vi.advanceTimersByTimeAsync(0)
  expect(starts).toHaveLength(20)
  await slots.take('b')
  await vi.advanceTimersByTimeAsync(1000)
  expect(starts).toHaveLength(22)
  await vi.advanceTimersByTimeAsync(1000)
  expect(starts).toHaveLength(24)
})

it('further reads of the polls of a key delay its next polls', async () => {
  const slots = createPollSlots()
  const starts: number[] = []
  for (let poll = 0; poll < 19; poll += 1) await slots.take('a')
  for (let read = 0; read < 8; read += 1) slots.countRead('a')
  for (const poll of [1, 2]) void slots.take('a').then(() => starts.push(poll))
  await vi.advanceTimersByTimeAsync(500)
  expect(starts).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect(starts).toEqual([1])
  await vi.advanceTimersByTimeAsync(500)
  expect(starts).toEqual([1, 2])
})

it('a poll whose stream has ended leaves its slot to other polls of the key', async () => {
  const slots = createPollSlots()
  const ending = new AbortController()
  for (let poll = 0; poll < 120; poll += 1) void slots.take('a', ending.signal)
  let isStarted = false
  void slots.take('a').then(() => (isStarted = true))
  ending.abort()
  await vi.advanceTimersByTimeAsync(1000)
  expect(isStarted).toBe(true)
})

it('a poll whose stream has ended before it waits takes no slot', async () => {
  const slots = createPollSlots()
  for (let poll = 0; poll < 120; poll += 1) void slots.take('a')
  let isOver = false
  void slots.take('a', AbortSignal.abort()).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(true)
})
