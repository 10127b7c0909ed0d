import { Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { isHeadPoll } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { requestPreviews, type Preview } from './requestPreviews.ts'
import { expectViews } from './expectViews.ts'
import { holdRequests } from '../harness/holdRequests.ts'
import { isStateRead } from '../harness/stateReads.ts'
import { listStateReads } from '../harness/stateReads.ts'
import { setPrice } from '../harness/movePrice.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'

let stack: ProxiedStack

beforeAll(async () => {
  // On a busy machine the previews beside a read that is held take longer than the default.
  stack = await startProxiedStack({ snapshotMaxAgeMs: 60_000 })
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
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

it('each block of each chain is read once at most, also when many blocks and many previews come at once', async () => {
  await Promise.all(
    Network.chainIds.map(async (chainId) => {
      const { chain, proxy, request } = subject(chainId)
      const known = await request(1)[0]
      const firstRequest = proxy.requests.length
      const previews = await requestAround(chain, request)
      const blocks = await expectViews(chain, previews)
      expect(blocks.length).toBeGreaterThanOrEqual(10)
      const { client } = connectOwner(chain)
      const named = blocks.filter((number) => number !== known?.blockNumber)
      const found = await Promise.all(named.map((number) => client.getBlock({ blockNumber: BigInt(number) })))
      const read = listStateReads(proxy, firstRequest)
      expect(new Set(read).size).toBe(read.length)
      expect(read).toEqual(expect.arrayContaining(found.map(({ hash }) => hash)))
      const calls = proxy.requests.slice(firstRequest).flatMap((request) => request.calls)
      expect(calls.filter(({ method }) => method === 'eth_call')).toHaveLength(read.length)
    }),
  )
})

function subject(chainId: Network.ChainId) {
  const chain = stack.localnet.chains[chainId]
  return { chain, proxy: stack.proxies[chainId], request: (number: number) => requestPreviews(stack, chain, number) }
}

/** Requests previews before, between and after pairs of blocks that move prices. */
async function requestAround(
  chain: LocalChain,
  request: (number: number) => readonly Promise<Preview>[],
): Promise<readonly Preview[]> {
  const previews: Promise<Preview>[] = [...request(20)]
  for (const cents of [61n, 62n, 63n, 64n, 65n, 66n, 67n, 68n, 69n, 70n]) {
    await setPrice(chain, 'tAUD', cents * 1_000_000n)
    previews.push(...request(20))
    await setPrice(chain, 'tEUR', cents * 2_000_000n)
    previews.push(...request(20))
    await waitForBlock(stack.url, chain)
    previews.push(...request(20))
  }
  return await Promise.all(previews)
}
