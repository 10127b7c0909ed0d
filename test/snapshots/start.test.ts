import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { requestPreviews } from './requestPreviews.ts'
import { expectViews } from './expectViews.ts'
import { isStateRead } from '../harness/stateReads.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'

let stack: ProxiedStack

beforeAll(async () => {
  stack = await startProxiedStack()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

it('a service reads and probes its pools at the start, so that the first preview needs no request to a node', async () => {
  const chain = stack.localnet.chains[421614]
  const proxy = stack.proxies[421614]
  await vi.waitUntil(async () => (await readHealth(stack.url)).status === 'ok', eventually)
  expect(proxy.requests.some(isStateRead)).toBe(true)
  const requests = await recordRequests(proxy, async () => {
    const previews = await Promise.all(requestPreviews(stack, chain, 10))
    expect(await expectViews(chain, previews)).toHaveLength(1)
  })
  expect(requests).toEqual([])
})
