import { toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { breakOff, neverAnswer, resultOf, text } from '../stack/answers.ts'
import { connectOwner } from '../stack/connectOwner.ts'
import type { ProxiedRequest } from '../stack/startProxy.ts'
import { codeOf, countReads, startUpstreams, type OpenedChain, type Upstreams } from './startUpstreams.ts'

const soon = { timeout: 10_000, interval: 20 }

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

describe.each([
  ['breaks off', breakOff, 'svc/upstream-unavailable'],
  ['answers garbage', text('garbage'), 'svc/upstream-error'],
  ['never answers', neverAnswer, 'svc/upstream-timeout'],
] as const)('the only node, if it %s,', (_, answer, code) => {
  it('is left alone after a while: callers have that failure at once, and it is only probed', async () => {
    const { first, open } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(answer)
    await untilOpen(chain, 20_000)
    const [asked, startedAtMs] = [first.requests.length, performance.now()]
    const codes = await Promise.all(Array.from({ length: 200 }, () => codeOf(chain.read())))
    expect(performance.now() - startedAtMs).toBeLessThan(1000)
    expect(new Set(codes)).toEqual(new Set([code]))
    // Long enough for two polls of the newest block, and for three probes at most.
    const askOn = async () => {
      expect(await codeOf(chain.read())).toBe(code)
      return performance.now() - startedAtMs
    }
    await expect.poll(askOn, soon).toBeGreaterThan(2000)
    const requests = first.requests.slice(asked)
    // But for what was on its way when the breaker opened.
    const later = requests.filter(({ receivedAtMs }) => receivedAtMs > startedAtMs + 100)
    expect(later.filter((request) => !isProbe(request))).toEqual([])
    expect(countProbes(requests)).toBeGreaterThan(0)
    expect(countProbes(requests)).toBeLessThanOrEqual(4)
  }, 40_000)

  it('is in use again within five seconds after it is well', async () => {
    const { first, open } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(answer)
    await untilOpen(chain, 20_000)
    // Probes come at their slowest by now.
    const [asked, startedAtMs] = [first.requests.length, performance.now()]
    await expect.poll(() => performance.now() - startedAtMs, { timeout: 10_000 }).toBeGreaterThan(4000)
    expect(countProbes(first.requests.slice(asked))).toBeLessThanOrEqual(5)
    first.reset()
    const wellAtMs = performance.now()
    await expect.poll(() => codeOf(chain.read()), soon).toBe('ok')
    expect(performance.now() - wellAtMs).toBeLessThan(5000)
  }, 60_000)
})

it('a node that was left alone is in use again at once if its faults are forgotten', async () => {
  const { first, open } = upstreams
  const chain = open([first.url])
  await chain.read()
  first.setAnswer(breakOff)
  await untilOpen(chain, 20_000)
  first.reset()
  chain.resetCircuits()
  expect(await codeOf(chain.read())).toBe('ok')
})

it('calls that fail together count once: a burst over a broken connection leaves nobody alone', async () => {
  const { first, open } = upstreams
  const chain = open([first.url])
  await chain.read()
  first.setAnswer(breakOff)
  await Promise.all(Array.from({ length: 50 }, () => codeOf(chain.read())))
  first.reset()
  expect(await codeOf(chain.read())).toBe('ok')
  expect(chain.reports).toEqual([])
})

it('a node that has another beside it is left alone after two faults, and not asked while it is', async () => {
  const { first, open } = upstreams
  const chain = open()
  await chain.read()
  first.setAnswer(breakOff)
  await expect.poll(async () => (await chain.read(), chain.reports.length), soon).toBe(1)
  expect(chain.listNodes()).toEqual([
    { position: 1, state: 'unavailable' },
    { position: 2, state: 'healthy' },
  ])
  const asked = countReads(first)
  expect(asked).toBeGreaterThan(0)
  for (let count = 0; count < 20; count += 1) await chain.read()
  expect(countReads(first)).toBe(asked)
})

it('one time-out is enough to leave a node alone that has another beside it', async () => {
  const { first, open } = upstreams
  const chain = open()
  await chain.read()
  first.setAnswer(neverAnswer)
  const reads = Array.from({ length: 20 }, () => chain.read())
  await Promise.all(reads)
  expect(chain.reports).toMatchObject([{ position: 1, state: 'unavailable', code: 'svc/upstream-timeout' }])
})

it('while all are left alone, the failure is that of the most preferred one', async () => {
  const { first, second, open } = upstreams
  const chain = open()
  await chain.read()
  first.setAnswer(text('garbage'))
  await expect.poll(async () => (await chain.read(), chain.reports.length), soon).toBe(1)
  second.setAnswer(breakOff)
  await expect.poll(async () => (await codeOf(chain.read()), chain.reports.length), soon).toBe(2)
  const asked = countReads(first) + countReads(second)
  expect(await codeOf(chain.read())).toBe('svc/upstream-error')
  expect(countReads(first) + countReads(second)).toBe(asked)
})

it('an open breaker tells of the fault that the last probe has met', async () => {
  const { first, open } = upstreams
  const chain = open([first.url])
  await chain.read()
  first.setAnswer(breakOff)
  await untilOpen(chain, 20_000)
  first.setAnswer(text('garbage'))
  await expect.poll(() => codeOf(chain.read()), soon).toBe('svc/upstream-error')
})

it('a node that comes back far behind stays out while another works, and serves while none does', async () => {
  const { first, second, chain: local, open } = upstreams
  const { client } = connectOwner(local)
  const { number, hash, parentHash, timestamp } = await client.getBlock()
  const older = { number: toHex(number), hash, parentHash, timestamp: toHex(timestamp) }
  await client.increaseTime({ seconds: 60 })
  await client.mine({ blocks: 1 })
  const chain = open()
  await chain.getSnapshot()
  first.setAnswer(breakOff)
  await expect.poll(async () => (await chain.read(), chain.listNodes()[0]?.state), soon).toBe('unavailable')
  first.setAnswer(resultOf('eth_getBlockByNumber', older))
  await expect.poll(() => chain.listNodes()[0]?.state, soon).toBe('lagging')
  const asked = countReads(first)
  for (let count = 0; count < 5; count += 1) await chain.read()
  expect(countReads(first)).toBe(asked)

  await second.close()
  await expect.poll(() => codeOf(chain.read()), soon).toBe('ok')
  expect(countReads(first)).toBeGreaterThan(asked)
  await second.reopen()
  first.reset()
  await expect.poll(() => chain.listNodes().map(({ state }) => state), soon).toEqual(['healthy', 'healthy'])
})

it('nothing is probed any more once the chain is stopped', async () => {
  const { first, open } = upstreams
  const chain = open([first.url])
  await chain.read()
  first.setAnswer(breakOff)
  await untilOpen(chain, 20_000)
  chain.stop()
  const [asked, stoppedAtMs] = [first.requests.length, performance.now()]
  // Longer than from the first probe to the third.
  await expect.poll(() => performance.now() - stoppedAtMs, soon).toBeGreaterThan(2500)
  expect(countProbes(first.requests.slice(asked))).toBeLessThanOrEqual(1)
})

async function untilOpen(chain: OpenedChain, timeout: number): Promise<void> {
  await expect
    .poll(async () => (await codeOf(chain.read()), chain.listNodes()[0]?.state), { timeout, interval: 20 })
    .toBe('unavailable')
}

// What a probe asks for: the chain's id and its newest block, in a request each.
const probed = new Set(['eth_chainId', 'eth_getBlockByNumber'])

function isProbe({ calls }: ProxiedRequest): boolean {
  return calls.every(({ method }) => probed.has(method))
}

function countProbes(requests: readonly ProxiedRequest[]): number {
  return requests.filter(({ calls }) => calls.some(({ method }) => method === 'eth_chainId')).length
}
