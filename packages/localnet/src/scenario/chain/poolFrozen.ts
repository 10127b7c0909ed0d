import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { defineScenario } from '../defineScenario.ts'
import type { Operator } from './createOperator.ts'
import { listPools } from './listPools.ts'

/** Freezes pools in their owners' names: nothing is converted until the next reset. */
export const poolFrozen = defineScenario({
  name: 'pool-frozen',
  description: 'The pools are frozen by their owner',
  options: {
    pool: { type: 'name', of: 'pools', isOptional: true, description: 'this one alone' },
  },
  codes: ['svc/pool-frozen'],
  needsMining: true,
  async put({ chain, operator, onReset }, { pool: chosen }) {
    for (const [, pool] of listPools(chain, chosen)) {
      if (await operator.client.readContract({ address: pool, abi: poolAbi, functionName: 'frozen' })) continue
      onReset(() => setFrozen(operator, pool, false))
      await setFrozen(operator, pool, true)
    }
  },
})

async function setFrozen(operator: Operator, pool: Address, isFrozen: boolean): Promise<void> {
  const owner = await operator.client.readContract({ address: pool, abi: poolAbi, functionName: 'owner' })
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'setFrozen', args: [isFrozen] })
  await operator.sendAs(owner, pool, data)
}
