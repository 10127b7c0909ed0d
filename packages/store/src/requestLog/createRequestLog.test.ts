import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../database/Database.ts'
import { createRequestLog } from './createRequestLog.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const call = {
  keyId: 'key',
  atMs: 0,
  requestId: 'order-42',
  operation: 'convert.preview',
  status: 422,
  code: undefined,
  ms: 1,
  queueMs: 0,
  nodeMs: 0,
  nodeRequests: 0,
  input: undefined,
  nearestInput: undefined,
  transactionHash: undefined,
}

/** A log over a database that answers each write as `answer` does. */
function open(answer: () => Promise<void>) {
  let writes = 0
  const errors: string[] = []
  const db = { execute: () => ((writes += 1), answer()) } as unknown as Database['db']
  const log = { info: () => {}, error: (_: object, message: string) => void errors.push(message) }
  const requestLog = createRequestLog({ db, assertWritable: async () => {}, log, now: () => 0, maxBuffered: 100 })
  function add(count: number): void {
    for (let number = 0; number < count; number += 1) if (requestLog.admit('key', 'other')) requestLog.add(call)
  }
  return { requestLog, add, errors, countWrites: () => writes }
}

const refusal = (code: string) => Object.assign(new Error('rejected'), { code, severity: 'ERROR' })

it('logged calls are written a second later, in one write', async () => {
  const { requestLog, add, countWrites } = open(async () => {})
  add(50)
  await vi.advanceTimersByTimeAsync(999)
  expect(countWrites()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(countWrites()).toBe(1)
  await requestLog.close()
  expect(vi.getTimerCount()).toBe(0)
})

it('while the database is unavailable, calls wait up to the bound of the buffer, and the others are counted', async () => {
  let isDown = true
  const { requestLog, add, errors } = open(async () => {
    if (isDown) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  })
  add(100)
  await vi.advanceTimersByTimeAsync(1000)
  add(150)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requestLog.countDropped('full')).toBe(50)
  expect(errors).toEqual(['cannot write the request log'])
  isDown = false
  await vi.advanceTimersByTimeAsync(2000)
  await requestLog.flush()
  expect(requestLog.countDropped('lost')).toBe(0)
  await requestLog.close()
  expect(errors).toHaveLength(1)
})

it('a batch that the database refuses is dropped and counted, and the next batch is written', async () => {
  let isRefused = true
  const { requestLog, add, countWrites } = open(() =>
    isRefused ? Promise.reject(refusal('22P05')) : Promise.resolve(),
  )
  add(3)
  await requestLog.flush()
  expect(requestLog.countDropped('lost')).toBe(3)
  isRefused = false
  add(1)
  await requestLog.flush()
  expect(countWrites()).toBe(2)
  await requestLog.close()
})

it.each(['58030', 'XX000', '57014', '53200'])(
  'a batch at which the database fails again and again (%s) is dropped and counted, and the next batch is written',
  async (code) => {
    let failures = 0
    const { requestLog, add, errors, countWrites } = open(async () => {
      if ((failures += 1) <= 5) throw refusal(code)
    })
    add(3)
    await vi.advanceTimersByTimeAsync(8000)
    expect([countWrites(), requestLog.countDropped('lost')]).toEqual([4, 0])
    await vi.advanceTimersByTimeAsync(2000)
    expect([countWrites(), requestLog.countDropped('lost')]).toEqual([5, 3])
    add(2)
    await vi.advanceTimersByTimeAsync(2000)
    expect([countWrites(), requestLog.countDropped('lost')]).toEqual([6, 3])
    expect(errors).toEqual(['cannot write the request log', 'request log lost: the database refuses it'])
    await requestLog.close()
  },
)

it('closing the log stops after five seconds on a database that never answers, and says how many calls are lost', async () => {
  const { requestLog, add, errors } = open(() => new Promise<void>(() => {}))
  add(7)
  const closing = requestLog.close()
  await vi.advanceTimersByTimeAsync(5200)
  await closing
  expect(errors).toEqual(['request log lost: it could not be written before shutdown'])
  expect(vi.getTimerCount()).toBe(0)
})

it('closing the log keeps calls whose write ends while the process stands still', async () => {
  const { promise: written, resolve } = Promise.withResolvers<void>()
  const { requestLog, add, errors } = open(() => written)
  add(7)
  const closing = requestLog.close()
  // After a standstill, Node runs the timers that are due before it reads what has arrived.
  await vi.advanceTimersToNextTimerAsync()
  resolve()
  await closing
  expect(errors).toEqual([])
})
