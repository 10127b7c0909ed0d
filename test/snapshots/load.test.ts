import type { Network } from '@agio/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { isHeadPoll } from '../harness/startProxy.ts'
import { readHealth, waitForBlock } from '../harness/waitForBlock.ts'
import { expectViews, requestPreviews, type Preview } from './requestPreviews.ts'
import { holdRequests } from '../harness/holdRequests.ts'
import { isStateRead } from '../harness/stateReads.ts'
import { setPrice } from '../harness/movePrice.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { setUp } from '../harness/setUp.ts'

// On a busy machine the previews beside a read that is held take longer than the default.
const stack = setUp(() => startProxiedStack({ snapshotMaxAgeMs: 60_000, nodeTimeoutMs: eventually.timeout }))

it('a service reads and probes its pools at the start, so that the first preview needs no request to a node', async () => {
  const { chain, proxy, request } = subject(421614)
  await vi.waitUntil(async () => (await readHealth(stack.url)).status === 'ok', eventually)
  expect(proxy.requests.some(isStateRead)).toBe(true)
  const requests = await recordRequests(proxy, async () => {
    expect(await expectViews(chain, await Promise.all(request(10)))).toHaveLength(1)
  })
  expect(requests).toEqual([])
})

it('each of a thousand previews around a price move uses one block only, and the new block is read once', async () => {
  const { chain, proxy, request } = subject(84532)
  const block = (await request(1)[0])?.blockNumber ?? 0
  const hold = holdRequests(proxy)
  onTestFinished(() => proxy.reset())
  const [polls, stateRead] = [hold(isHeadPoll), hold(isStateRead)]
  let previews: readonly Preview[] = []
  const first = proxy.requests.length
  const requests = await recordRequests(proxy, async () => {
    await setPrice(chain, 'tAUD', 71_234_567n)
    const known = await Promise.all(request(600))
    const before = request(100)
    await Promise.race(before)
    polls.pass()
    const around = request(100)
    await vi.waitUntil(() => proxy.requests.slice(first).some(isStateRead), eventually)
    // No preview waits for the read. There are few, so that the service does not give up the read meanwhile.
    const during = await Promise.all(request(50))
    expect(new Set(during.map(({ blockNumber }) => blockNumber))).toEqual(new Set([block]))
    stateRead.pass()
    const across = request(50)
    await waitForBlock(stack.url, chain)
    const after = await Promise.all(request(100))
    expect(new Set(after.map(({ blockNumber }) => blockNumber))).toEqual(new Set([block + 1]))
    previews = [...known, ...(await Promise.all([...before, ...around, ...across])), ...during, ...after]
  })
  expect(requests).toEqual(['eth_call'])
  const blocks = await expectViews(chain, previews)
  expect(blocks).toEqual([block, block + 1])
})

function subject(chainId: Network.ChainId) {
  const chain = stack.localnet.chains[chainId]
  return { chain, proxy: stack.proxies[chainId], request: (number: number) => requestPreviews(stack, chain, number) }
}
