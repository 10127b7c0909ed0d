import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pollDatabase } from './pollDatabase.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Polls a database that answers as `answer` does, and records the cursor and the time of each poll. */
function start(answer: (since: string | undefined) => Promise<string>) {
  const startedAtMs = performance.now()
  const polls: { readonly atMs: number; readonly since: string | undefined }[] = []
  const states: unknown[] = []
  const readChanges = async (since: string | undefined) => {
    // A timer of 0 ms takes one.
    polls.push({ atMs: Math.floor((performance.now() - startedAtMs) / 5) * 5, since })
    return await answer(since)
  }
  const poll = pollDatabase(readChanges, (error) => void states.push(error))
  return { polls, states, poll }
}

it('changes of keys are polled at the start and one second after each answer, from the last cursor on', async () => {
  const { polls, states, poll } = start(async (since) => String(Number(since ?? 0) + 1))
  await vi.advanceTimersByTimeAsync(3010)
  expect(polls).toEqual([
    { atMs: 0, since: undefined },
    { atMs: 1000, since: '1' },
    { atMs: 2000, since: '2' },
    { atMs: 3000, since: '3' },
  ])
  expect(new Set(states)).toEqual(new Set([undefined]))
  await poll.stop()
})

it('a poll of changed keys that fails is reported, and the next one goes on from the same cursor', async () => {
  const failure = new Error('unreachable')
  let polled = 0
  const { polls, states, poll } = start(async () => {
    if ((polled += 1) === 2) throw failure
    return `cursor ${polled}`
  })
  await vi.advanceTimersByTimeAsync(2010)
  expect(polls.map(({ since }) => since)).toEqual([undefined, 'cursor 1', 'cursor 1'])
  expect(states).toEqual([undefined, failure, undefined])
  await poll.stop()
})

it('stopping the poll of changed keys waits for the poll in flight and leaves no timer', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { polls, poll } = start(() => promise)
  await vi.advanceTimersByTimeAsync(10)
  let isStopped = false
  const stopping = poll.stop().then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(5000)
  expect(isStopped).toBe(false)
  resolve('cursor')
  await stopping
  expect(vi.getTimerCount()).toBe(0)
  expect(polls).toHaveLength(1)
})
