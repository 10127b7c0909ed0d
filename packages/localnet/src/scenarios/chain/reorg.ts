import { numberToHex } from 'viem'
import { defineScenario } from '../definition/defineScenario.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'
import { captureForReplay } from './captureForReplay.ts'

/**
 * Mines `depth` blocks, waits until the service reports them, and replaces them by `depth + 1` other blocks.
 *
 * A node can only revert to a snapshot, so the scenario mines the blocks that it replaces. Transactions that are pending at
 * the start, and those that are sent meanwhile, are mined again in the first of the new blocks: none is lost.
 */
export const reorg = defineScenario({
  name: 'reorg',
  description: 'Mines this many blocks, then replaces them by other blocks and one more',
  effect: 'blocks with other hashes; the transactions in them are mined again',
  options: {
    depth: { type: 'number', min: 1, max: 64, isWhole: true, description: 'the number of replaced blocks' },
  },
  codes: [],
  isMomentary: true,
  async inject({ operator, waitForServedBlock }, { depth }) {
    const wasMining = await operator.client.getAutomine()
    await operator.stopMining()
    try {
      const id = await operator.client.snapshot()
      const before = await operator.readNewest()
      await mineBlocks(operator, depth)
      await waitForServedBlock(before + BigInt(depth))
      const replay = await captureForReplay(operator, before)
      await operator.client.revert({ id })
      await replay()
      await mineBlocks(operator, depth + 1)
    } finally {
      if (wasMining) await operator.startMining()
    }
  },
})

// One at a time: blocks of one hardhat_mine call are a second apart, and would move the chain's clock ahead.
async function mineBlocks({ client }: ChainOperator, number: number): Promise<void> {
  for (let mined = 0; mined < number; mined += 1) {
    // Without it, a block with the same number, timestamp and transactions would have the same hash.
    const random = numberToHex(BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`), { size: 32 })
    await client.request<SetPrevRandao>({ method: 'hardhat_setPrevRandao', params: [random] })
    await client.mine({ blocks: 1 })
  }
}

type SetPrevRandao = { Method: 'hardhat_setPrevRandao'; Parameters: [random: string]; ReturnType: boolean }
