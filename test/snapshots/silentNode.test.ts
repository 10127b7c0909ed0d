import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { breakOff, neverAnswer } from '../stack/answers.ts'
import { connectOwner } from '../stack/connectOwner.ts'
import { isHeadPoll, type Proxy } from '../stack/startProxy.ts'
import { waitForBlock } from '../stack/waitForBlock.ts'
import { askPreviews, type Preview } from './askPreviews.ts'
import { expectViews } from './expectViews.ts'
import { setPrice } from './setPrice.ts'
import { startProxiedStack, type ProxiedStack } from './startProxiedStack.ts'

const snapshotMaxAgeMs = 1500
// How late a busy machine may notice that a poll was answered.
const toleranceMs = 1000

type Timed = Preview & { readonly askedAtMs: number; readonly answeredAtMs: number }

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
  { does: 'breaks off', answer: breakOff, failure: '503 svc/upstream-unavailable', price: 61_000_000n },
  { does: 'never answers', answer: neverAnswer, failure: '504 svc/upstream-timeout', price: 62_000_000n },
])('a node that $does', ({ answer, failure, price }) => {
  it('has its last block used while that is young, then not any more, and its newest one once it is back', async () => {
    onTestFinished(() => proxy.reset())
    await setPrice(chain, 'tAUD', price)
    await waitForBlock(stack.url, chain)
    const known = Number(await connectOwner(chain).client.getBlockNumber({ cacheTime: 0 }))
    await askFive()
    const earliestMs = (proxy.requests.findLast(isHeadPoll)?.receivedAtMs ?? 0) + snapshotMaxAgeMs
    proxy.setAnswer(answer)
    const latestMs = performance.now() + snapshotMaxAgeMs + toleranceMs
    await setPrice(chain, 'tAUD', 2n * price)

    const asked = await askUntilFailure()
    const [fromMemory, failures] = [asked.filter(isGood), asked.filter((preview) => !isGood(preview))]
    expect(failures.filter(({ answeredAtMs }) => answeredAtMs <= earliestMs)).toEqual([])
    expect(fromMemory.filter(({ askedAtMs }) => askedAtMs > latestMs)).toEqual([])
    expect(await expectViews(chain, fromMemory)).toEqual(fromMemory.length > 0 ? [known] : [])
    expect(failures.map(({ status, code }) => `${status} ${String(code)}`)).toEqual(failures.map(() => failure))

    proxy.reset()
    const recovered = await vi.waitUntil(async () => (await askFive()).find(isGood), { timeout: 20_000 })
    expect(await expectViews(chain, [recovered])).toEqual([known + 1])
  }, 60_000)
})

function isGood({ status }: Preview): boolean {
  return status === 200
}

async function askFive(): Promise<readonly Timed[]> {
  const askedAtMs = performance.now()
  const toTimed = async (asked: Promise<Preview>) => ({ ...(await asked), askedAtMs, answeredAtMs: performance.now() })
  return await Promise.all(askPreviews(stack, chain, 5).map(toTimed))
}

/** Five previews at a time, until one of them fails. */
async function askUntilFailure(): Promise<readonly Timed[]> {
  const asked: Timed[] = []
  do asked.push(...(await askFive()))
  while (asked.every(isGood))
  return asked
}
