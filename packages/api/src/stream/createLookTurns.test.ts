import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLookTurns } from './createLookTurns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a key has twenty looks at once and then two per second, and does not delay another key', async () => {
  const turns = createLookTurns()
  const starts: string[] = []
  for (let look = 0; look < 24; look += 1) void turns.take('a').then(() => starts.push('a'))
  await vi.advanceTimersByTimeAsync(0)
  expect(starts).toHaveLength(20)
  await turns.take('b')
  await vi.advanceTimersByTimeAsync(1000)
  expect(starts).toHaveLength(22)
  await vi.advanceTimersByTimeAsync(1000)
  expect(starts).toHaveLength(24)
})

it('further reads of the looks of a key delay its next looks', async () => {
  const turns = createLookTurns()
  const starts: number[] = []
  for (let look = 0; look < 19; look += 1) await turns.take('a')
  for (let read = 0; read < 8; read += 1) turns.countRead('a')
  for (const look of [1, 2]) void turns.take('a').then(() => starts.push(look))
  await vi.advanceTimersByTimeAsync(500)
  expect(starts).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect(starts).toEqual([1])
  await vi.advanceTimersByTimeAsync(500)
  expect(starts).toEqual([1, 2])
})

it('a look whose stream has ended leaves its turn to other looks of the key', async () => {
  const turns = createLookTurns()
  const ending = new AbortController()
  for (let look = 0; look < 120; look += 1) void turns.take('a', ending.signal)
  let isStarted = false
  void turns.take('a').then(() => (isStarted = true))
  ending.abort()
  await vi.advanceTimersByTimeAsync(1000)
  expect(isStarted).toBe(true)
})

it('a look whose stream has ended before it waits takes no turn', async () => {
  const turns = createLookTurns()
  for (let look = 0; look < 120; look += 1) void turns.take('a')
  let isOver = false
  void turns.take('a', AbortSignal.abort()).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(true)
})
