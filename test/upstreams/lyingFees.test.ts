import type { Doubt } from '@agio/chain'
import { maxUint256, numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { resultOf } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(async () => {
  await upstreams.reset()
  // Earlier transactions may have left fees that are checked with another node before they count.
  const { client } = connectOwner(upstreams.chain)
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 500_000_000n })
  await client.mine({ blocks: 6 })
})
afterAll(() => upstreams?.[Symbol.asyncDispose]())

const highLies = [
  ['7e15', 7n * 10n ** 15n],
  ['2^255', 2n ** 255n],
  ['2^256 - 1', maxUint256],
] as const

/** Makes a node return a base fee and a tip. */
function lie(proxy: Proxy, value: bigint): void {
  const quantity = numberToHex(value)
  proxy.setAnswer(resultOf('eth_feeHistory', { baseFeePerGas: [quantity, quantity], reward: [[quantity]] }))
}

/** Makes the first node multiply the base fee of its blocks and its history, and return a tip. */
function multiply({ first, chain }: Upstreams, factor: bigint, tip: bigint): void {
  const toLie = (baseFee: Hex) => numberToHex(BigInt(baseFee) * factor)
  first.setAnswer(
    answerEachCall(chain.rpcUrl, async (call, callNode) => {
      const reply = await callNode(call)
      const found = reply.result as { readonly baseFeePerGas: Hex & readonly Hex[] }
      if (call.method === 'eth_getBlockByNumber')
        return { ...reply, result: { ...found, baseFeePerGas: toLie(found.baseFeePerGas) } }
      if (call.method !== 'eth_feeHistory') return reply
      return { ...reply, result: { baseFeePerGas: found.baseFeePerGas.map(toLie), reward: [[numberToHex(tip)]] } }
    }),
  )
}

/** Opens the chain over some nodes once it knows a block, with the doubtful answers of the nodes. */
async function open(urls: readonly string[]) {
  const doubts: Doubt[] = []
  const chain = upstreams.open(urls, { onDoubt: (doubt) => doubts.push(doubt) })
  await expect.poll(() => chain.heads.find(), eventually).toBeDefined()
  return { chain, doubts }
}

describe.each([...highLies, ['0', 0n] as const])('a node that returns fees of %s', (_, value) => {
  it('the fees of the next node count, and the first node is reported', async () => {
    const { first, second } = upstreams
    const { chain, doubts } = await open([first.url, second.url])
    const fees = await chain.gas.readFees()
    lie(first, value)
    expect(await chain.gas.readFees()).toEqual(fees)
    expect(doubts).toEqual([{ subject: 'fees', position: 1 }])
    expect(chain.nodes.countDoubts('fees')).toBe(1)
  })
})

it.each(highLies)('the ceiling counts after fees of %s if there is no other node', async (_, value) => {
  const { first } = upstreams
  const { chain, doubts } = await open([first.url])
  const fees = await chain.gas.readFees()
  lie(first, value)
  const { maxFeePerGas, maxPriorityFeePerGas } = await chain.gas.readFees()
  expect(maxPriorityFeePerGas).toBe(10_000_000_000n)
  expect(maxFeePerGas).toBeGreaterThan(fees.maxFeePerGas)
  expect(maxFeePerGas).toBeLessThanOrEqual(16n * fees.maxFeePerGas + 12_000_000_000n)
  expect(doubts).toEqual([{ subject: 'fees', position: 1 }])
})

it('the floor counts after fees of 0 if there is no other node', async () => {
  const { first } = upstreams
  const { chain, doubts } = await open([first.url])
  lie(first, 0n)
  const baseFee = chain.heads.find()?.baseFeePerGas ?? 0n
  expect((await chain.gas.readFees()).maxFeePerGas).toBe(2n * ((baseFee * 3n) / 4n) + 1_000_000n)
  expect(doubts).toEqual([{ subject: 'fees', position: 1 }])
})

it('a history without base fees is a fault of the node', async () => {
  const { first, second } = upstreams
  const { chain } = await open([first.url, second.url])
  const fees = await chain.gas.readFees()
  first.setAnswer(resultOf('eth_feeHistory', { baseFeePerGas: [], reward: [] }))
  // A read of the newest block in between ends the row of faults.
  const readReports = async () => {
    expect(await chain.gas.readFees()).toEqual(fees)
    return chain.reports
  }
  const unavailable = expect.objectContaining({ position: 1, state: 'unavailable', code: 'svc/upstream-error' })
  await expect.poll(readReports, eventually).toContainEqual(unavailable)
})

describe('base fees that jump', () => {
  /** Mines a block with a base fee, and waits until the chain knows the block with another base fee. */
  async function mine({ chain }: Awaited<ReturnType<typeof open>>, baseFee: bigint, announced = baseFee) {
    const { client } = connectOwner(upstreams.chain)
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
    await client.mine({ blocks: 1 })
    await expect.poll(() => chain.heads.find()?.baseFeePerGas, eventually).toBe(announced)
  }

  it('the fees of the next node count if the first one invents them in its blocks and its history', async () => {
    const { first, second } = upstreams
    const opened = await open([first.url, second.url])
    await opened.chain.gas.readFees()
    multiply(upstreams, 1000n, 10_000_000_000n)
    await mine(opened, 250_000_000n, 250_000_000_000n)
    const fees = await upstreams.open([second.url]).gas.readFees()
    for (let reading = 0; reading < 20; reading += 1) expect(await opened.chain.gas.readFees()).toEqual(fees)
    expect(opened.chain.nodes.countDoubts('fees')).toBe(20)
  })

  it.each([1, 2])('they count once %i nodes have returned them, and are not checked again', async (count) => {
    const { first, second } = upstreams
    const opened = await open([first.url, second.url].slice(0, count))
    for (const baseFee of [100_000_000n, 100_000_000_000n]) {
      await mine(opened, baseFee)
      for (let reading = 0; reading < 3; reading += 1)
        expect((await opened.chain.gas.readFees()).maxFeePerGas).toBeGreaterThanOrEqual((baseFee * 7n) / 4n)
    }
    expect(opened.chain.nodes.countDoubts('fees')).toBeLessThanOrEqual(2 * count)
  })
})
