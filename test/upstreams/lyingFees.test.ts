import type { Doubt } from '@agio/chain'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resultOf } from '../harness/answers.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

const lies = [
  ['7e15', 7n * 10n ** 15n],
  ['2^255', 2n ** 255n],
  ['2^256 - 1', maxUint256],
] as const

/** Makes a node return a base fee and a tip. */
function lie(proxy: Proxy, value: bigint): void {
  const quantity = `0x${value.toString(16)}`
  proxy.setAnswer(resultOf('eth_feeHistory', { baseFeePerGas: [quantity, quantity], reward: [[quantity]] }))
}

/** Opens the chain over some nodes once it knows a block, with the doubtful answers of the nodes. */
async function open(urls: readonly string[]) {
  const doubts: Doubt[] = []
  const chain = upstreams.open(urls, { onDoubt: (doubt) => doubts.push(doubt) })
  await expect.poll(() => chain.heads.find(), eventually).toBeDefined()
  return { chain, doubts }
}

describe.each(lies)('a node that returns fees of %s', (_, value) => {
  it('the fees of the next node count, and the first node is reported', async () => {
    const { first, second } = upstreams
    const { chain, doubts } = await open([first.url, second.url])
    const fees = await chain.gas.readFees()
    lie(first, value)
    expect(await chain.gas.readFees()).toEqual(fees)
    expect(doubts).toEqual([{ subject: 'fees', position: 1 }])
    expect(chain.nodes.countDoubts('fees')).toBe(1)
  })

  it('the ceiling counts without another node: at least twice the current base fee, and a few gwei', async () => {
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
})
