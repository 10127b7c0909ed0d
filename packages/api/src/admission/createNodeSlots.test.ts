import type { Tier } from '@agio/core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NodeUse } from '../http/NodeUse.ts'
import { createNodeSlots } from './createNodeSlots.ts'

const keyOf = (id: string, tier: Tier.Tier = 'standard') => ({ id, tier })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Makes reads of keys that end when they are told to. */
function createReads() {
  const slots = createNodeSlots({ assertLeft: () => {}, observeRefusal: () => {} })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const read = (name: string, key = keyOf('a')) =>
    slots.inSlotOf(
      key,
      new NodeUse(),
    )(() => {
      started.push(name)
      const { promise, resolve } = Promise.withResolvers<string>()
      ends.set(name, () => resolve(name))
      return promise
    })
  return { read, started, end: (name: string) => ends.get(name)?.() }
}

it('a read that has waited for ten seconds is refused, and its place goes to none', async () => {
  const { read, started, end } = createReads()
  const reads = Array.from({ length: 20 }, (_, index) => read(`${index}`))
  const late = Promise.allSettled([read('late')])
  await vi.advanceTimersByTimeAsync(10_000)
  const message = expect.stringContaining('limit of 20 node requests in flight reached')
  expect(await late).toMatchObject([{ status: 'rejected', reason: { code: 'svc/rate-limited', message } }])
  end('0')
  await reads[0]
  void read('next')
  expect(started.at(-1)).toBe('next')
  expect(vi.getTimerCount()).toBe(0)
})

it('a read that fails leaves its place', async () => {
  const slots = createNodeSlots({ assertLeft: () => {}, observeRefusal: () => {} })
  const inSlot = slots.inSlotOf(keyOf('a'), new NodeUse())
  for (let index = 0; index < 25; index += 1)
    await expect(inSlot(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
