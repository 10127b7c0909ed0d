import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPendingRequests } from './createPendingRequests.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('only the last 1,000 requests that timed out are remembered', async () => {
  const pending = createPendingRequests({ timeoutMs: 100, onTimeout() {} })
  const ids = Array.from({ length: 1001 }, () => pending.add({ method: 'eth_chainId' }).id)
  await vi.advanceTimersByTimeAsync(100)
  expect([ids[0], ids[1], ids[1000]].map((id) => pending.takeTimedOut(id))).toEqual([false, true, true])
})
