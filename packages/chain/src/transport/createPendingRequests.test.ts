import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPendingRequests, type PendingRequest } from './createPendingRequests.ts'

const request = { method: 'eth_chainId' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start() {
  const timedOut: PendingRequest[] = []
  return { timedOut, pending: createPendingRequests({ timeoutMs: 100, onTimeout: (late) => timedOut.push(late) }) }
}

it('a pending request that is taken resolves its own response, and does not time out', async () => {
  const { pending, timedOut } = start()
  const [first, second] = [pending.add(request), pending.add(request)]
  pending.take(second.id)?.resolve('second')
  pending.take(first.id)?.resolve('first')
  expect(await Promise.all([first.response, second.response])).toEqual(['first', 'second'])
  await vi.advanceTimersByTimeAsync(1000)
  expect([timedOut, pending.isEmpty()]).toEqual([[], true])
})

it('a pending request without a response in time is removed and reported once', async () => {
  const { pending, timedOut } = start()
  const { id } = pending.add(request)
  await vi.advanceTimersByTimeAsync(99)
  expect(pending.list()).toEqual([{ id, request }])
  await vi.advanceTimersByTimeAsync(1)
  expect(timedOut).toMatchObject([{ request }])
  expect(pending.take(id)).toBeUndefined()
})

it('only the last 1,000 requests that timed out are remembered', async () => {
  const { pending } = start()
  const ids = Array.from({ length: 1001 }, () => pending.add(request).id)
  await vi.advanceTimersByTimeAsync(100)
  expect([ids[0], ids[1], ids[1000]].map((id) => pending.takeTimedOut(id))).toEqual([false, true, true])
})
