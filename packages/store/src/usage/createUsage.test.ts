import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../database/Database.ts'
import { createUsage } from './createUsage.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Usage over a database that answers each write as `answer` does, with the times of the writes in milliseconds. */
function open(answer: () => Promise<void>) {
  const startedAtMs = performance.now()
  const writes: number[] = []
  const errors: string[] = []
  const lost: object[] = []
  const execute = async () => {
    writes.push(Math.floor((performance.now() - startedAtMs) / 5) * 5)
    await answer()
  }
  const error = (fields: object, message: string) => {
    errors.push(message)
    if (message.startsWith('usage lost')) lost.push(fields)
  }
  const log = { info: () => {}, error }
  const usage = createUsage({ db: { execute } as unknown as Database['db'], log })
  return { usage, writes, errors, lost }
}

it('a count of usage is written 150 ms later at the latest, in one batch with the counts that follow it', async () => {
  const { usage, writes } = open(async () => {})
  usage.count('key', 'pools.list')
  await vi.advanceTimersByTimeAsync(140)
  usage.count('key', 'pools.list')
  expect(writes).toEqual([])
  await vi.advanceTimersByTimeAsync(10)
  expect(writes).toEqual([150])
  expect(usage.countUnwritten()).toBe(0)
})

it('a batch of usage that cannot be written is retried after delays that double, two seconds at most', async () => {
  const { usage, writes, errors } = open(() => Promise.reject(new Error('unreachable')))
  usage.count('key', 'pools.list')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(writes).toEqual([150, 450, 1050, 2250, 4250, 6250, 8250])
  expect(usage.countUnwritten()).toBe(1)
  expect(errors).toEqual(['cannot write usage: it stays in memory until a retry succeeds'])
})

it.each([
  ['never answers', () => new Promise<void>(() => {})],
  ['refuses every write', () => Promise.reject(new Error('unreachable'))],
])(
  'closing the usage stops retrying after five seconds on a database that %s, and leaves no timer',
  async (_, answer) => {
    const { usage, errors, lost } = open(answer)
    usage.count('key', 'pools.list', 7)
    let isClosed = false
    const closing = usage.close().then(() => (isClosed = true))
    await vi.advanceTimersByTimeAsync(4990)
    expect(isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    await closing
    expect(errors.at(-1)).toBe('usage lost: it could not be written before shutdown')
    expect(lost).toEqual([{ calls: 7 }])
    expect(vi.getTimerCount()).toBe(0)
  },
)
