import { numberToHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { useUpstreams } from './startUpstreams.ts'

// The bounds of fees, and whose fees count beyond them, are proven by packages/chain/src/gas/readFees.test.ts.

const upstreams = useUpstreams()

it('the fees of the next node count if the first one invents them in its blocks and its history', async () => {
  const { first, second } = upstreams
  const { client } = connectOwner(upstreams.chain)
  // Earlier transactions may have left fees that are checked with another node before they count.
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 500_000_000n })
  await client.mine({ blocks: 6 })
  const { gas, heads, nodes } = upstreams.open()
  await expect.poll(() => heads.find(), eventually).toBeDefined()
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
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 250_000_000n })
  await client.mine({ blocks: 1 })
  await expect.poll(() => heads.find()?.baseFeePerGas, eventually).toBe(250_000_000_000n)
  const fees = await upstreams.open([second.url]).gas.readFees()
  for (let reading = 0; reading < 20; reading += 1) expect(await gas.readFees()).toEqual(fees)
  expect(nodes.countDoubts('fees')).toBe(20)
})
