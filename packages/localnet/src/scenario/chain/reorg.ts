import { numberToHex } from 'viem'
import { defineScenario } from '../defineScenario.ts'
import type { Operator } from './createOperator.ts'
import { keepTransactions } from './keepTransactions.ts'

/**
 * Lets the service see so many new blocks, takes them back, and mines one more than these in their place.
 *
 * A node cannot replace blocks of which no snapshot was taken, so those that are replaced are mined for it. What is pending
 * when it begins is mined in the first of them, is pending again when they are taken back, and is mined again in the first
 * of the others, as is whatever was sent meanwhile: no transaction is lost.
 */
export const reorg = defineScenario({
  name: 'reorg',
  description: 'So many blocks are mined, and once the service has seen them they are replaced by others, and one more',
  options: {
    depth: { type: 'number', min: 1, max: 64, isWhole: true, description: 'how many blocks are replaced' },
  },
  codes: [],
  async put({ operator, untilSeen }, { depth }) {
    const wasMining = await operator.client.getAutomine()
    await operator.stopMining()
    try {
      const id = await operator.client.snapshot()
      const before = await operator.readNewest()
      await mineBlocks(operator, depth)
      await untilSeen(before + BigInt(depth))
      const resend = await keepTransactions(operator, before)
      await operator.client.revert({ id })
      await resend()
      await mineBlocks(operator, depth + 1)
    } finally {
      if (wasMining) await operator.startMining()
    }
  },
})

// One at a time: blocks mined at once are a second apart, and would carry the chain's clock ahead.
async function mineBlocks({ client }: Operator, number: number): Promise<void> {
  for (let mined = 0; mined < number; mined += 1) {
    // Without it, a block of the same number, second and contents would be the same block.
    const random = numberToHex(BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`), { size: 32 })
    await client.request<SetPrevRandao>({ method: 'hardhat_setPrevRandao', params: [random] })
    await client.mine({ blocks: 1 })
  }
}

type SetPrevRandao = { Method: 'hardhat_setPrevRandao'; Parameters: [random: string]; ReturnType: boolean }
