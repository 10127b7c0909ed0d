import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { defineScenario } from '../definition/defineScenario.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'
import { listPools } from './listPools.ts'

/** Freezes pools, as their owner, until the next reset. */
export const poolFrozen = defineScenario({
  name: 'pool-frozen',
  description: 'The owner freezes all pools, or the named pool',
  effect: 'svc/pool-frozen',
  options: {
    pool: { type: 'name', of: 'pools', isOptional: true, description: 'the only pool to freeze' },
  },
  codes: ['svc/pool-frozen'],
  needsMining: true,
  async inject({ chain, operator, onReset }, { pool: chosen }) {
    for (const [, pool] of listPools(chain, chosen)) {
      if (await operator.client.readContract({ address: pool, abi: poolAbi, functionName: 'frozen' })) continue
      onReset(() => setFrozen(operator, pool, false))
      await setFrozen(operator, pool, true)
    }
  },
})

async function setFrozen(operator: ChainOperator, pool: Address, isFrozen: boolean): Promise<void> {
  const owner = await operator.client.readContract({ address: pool, abi: poolAbi, functionName: 'owner' })
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'setFrozen', args: [isFrozen] })
  await operator.sendAs(owner, pool, data)
}
