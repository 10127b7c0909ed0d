import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { breakOff, neverAnswer } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { isHeadPoll, type Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { requestPreviews, type Preview } from './requestPreviews.ts'
import { expectViews } from './expectViews.ts'
import { setPrice } from '../harness/movePrice.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'

const snapshotMaxAgeMs = 1500

type Timed = Preview & { readonly answeredAtMs: number }

let stack: ProxiedStack
let chain: LocalChain
let proxy: Proxy

beforeAll(async () => {
  stack = await startProxiedStack({ snapshotMaxAgeMs })
  chain = stack.localnet.chains[84532]
  proxy = stack.proxies[84532]
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe.each([
  { does: 'breaks the connection', answer: breakOff, failure: '503 svc/upstream-unavailable', price: 61_000_000n },
  { does: 'never answers', answer: neverAnswer, failure: '504 svc/upstream-timeout', price: 62_000_000n },
])('a node that $does', ({ does, answer, failure, price }) => {
  it(`previews use the last block of a node that ${does} up to its maximum age, and its newest one after recovery`, async () => {
    onTestFinished(() => proxy.reset())
    await setPrice(chain, 'tAUD', price)
    await waitForBlock(stack.url, chain)
    const knownNumber = Number(await connectOwner(chain).client.getBlockNumber({ cacheTime: 0 }))
    await requestFive()
    // The exact age at which a head is dropped is proven with an injected clock: createHeads.test.ts.
    const earliestMs = (proxy.requests.findLast(isHeadPoll)?.receivedAtMs ?? 0) + snapshotMaxAgeMs
    proxy.setAnswer(answer)
    await setPrice(chain, 'tAUD', 2n * price)

    const previews = await requestUntilFailure()
    const [fromMemory, failures] = [previews.filter(isGood), previews.filter((preview) => !isGood(preview))]
    expect(failures.filter(({ answeredAtMs }) => answeredAtMs <= earliestMs)).toEqual([])
    expect(await expectViews(chain, fromMemory)).toEqual(fromMemory.length > 0 ? [knownNumber] : [])
    expect(failures.map(({ status, code }) => `${status} ${String(code)}`)).toEqual(failures.map(() => failure))

    proxy.reset()
    const recovered = await vi.waitUntil(async () => (await requestFive()).find(isGood), eventually)
    expect(await expectViews(chain, [recovered])).toEqual([knownNumber + 1])
  })
})

function isGood({ status }: Preview): boolean {
  return status === 200
}

async function requestFive(): Promise<readonly Timed[]> {
  const toTimed = async (preview: Promise<Preview>) => ({ ...(await preview), answeredAtMs: performance.now() })
  return await Promise.all(requestPreviews(stack, chain, 5).map(toTimed))
}

/** Requests five previews at a time, until one of them fails: the block must not be used forever. */
async function requestUntilFailure(): Promise<readonly Timed[]> {
  const previews: Timed[] = []
  do previews.push(...(await requestFive()))
  while (previews.every(isGood))
  return previews
}
