import { numberToHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { useUpstreams, type OpenedChain } from './startUpstreams.ts'

// The bounds of fees, and whose fees count beyond them, are proven by packages/chain/src/gas/readFees.test.ts.

const upstreams = useUpstreams()

/** Opens the chain over some nodes, after blocks with a base fee of 0.5 gwei. */
async function open(urls?: readonly string[]) {
  const { client } = connectOwner(upstreams.chain)
  // Earlier transactions may have left fees that are checked with another node before they count.
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 500_000_000n })
  await client.mine({ blocks: 6 })
  const chain = upstreams.open(urls)
  await expect.poll(() => chain.heads.find(), eventually).toBeDefined()
  return chain
}

/** Mines a block with a base fee, and waits until the chain knows the block with another base fee. */
async function mine({ heads }: OpenedChain, baseFee: bigint, announced = baseFee) {
  const { client } = connectOwner(upstreams.chain)
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
  await client.mine({ blocks: 1 })
  await expect.poll(() => heads.find()?.baseFeePerGas, eventually).toBe(announced)
}

it('the fees of the next node count if the first one invents them in its blocks and its history', async () => {
  const { first, second } = upstreams
  const chain = await open()
  const { gas, nodes } = chain
  await gas.readFees()
  const toLie = (baseFee: Hex) => numberToHex(BigInt(baseFee) * 1000n)
  upstreams.answerCalls(first, async (call, callNode) => {
    const reply = await callNode(call)
    const found = reply.result as { readonly baseFeePerGas: Hex & readonly Hex[] }
    if (call.method === 'eth_getBlockByNumber')
      return { ...reply, result: { ...found, baseFeePerGas: toLie(found.baseFeePerGas) } }
    if (call.method !== 'eth_feeHistory') return reply
    const reward = [[numberToHex(10_000_000_000n)]]
    return { ...reply, result: { baseFeePerGas: found.baseFeePerGas.map(toLie), reward } }
  })
  await mine(chain, 250_000_000n, 250_000_000_000n)
  const fees = await upstreams.open([second.url]).gas.readFees()
  for (let reading = 0; reading < 20; reading += 1) expect(await gas.readFees()).toEqual(fees)
  expect(nodes.countDoubts('fees')).toBe(20)
})

it.each([1, 2])(
  'base fees that jump count once %i nodes have returned them, and are not checked again',
  async (count) => {
    const { first, second } = upstreams
    const chain = await open([first.url, second.url].slice(0, count))
    for (const baseFee of [100_000_000n, 100_000_000_000n]) {
      await mine(chain, baseFee)
      for (let reading = 0; reading < 3; reading += 1)
        expect((await chain.gas.readFees()).maxFeePerGas).toBeGreaterThanOrEqual((baseFee * 7n) / 4n)
    }
    expect(chain.nodes.countDoubts('fees')).toBeLessThanOrEqual(count === 1 ? 0 : 4)
  },
)
