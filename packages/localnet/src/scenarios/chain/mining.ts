import { Errors } from '@agio/core'
import { defineScenario, type ScenarioContext } from '../definition/defineScenario.ts'

/** Stops mining, until a reset or the scenario `mine`. */
export const noMining = defineScenario({
  name: 'no-mining',
  description: 'Stops mining. Transactions stay pending until the scenario mine or a reset',
  effect: '`pending` from broadcasts, after their wait',
  options: {},
  codes: [],
  part: 'mining',
  async inject({ operator, saveCheckpoint }) {
    await operator.stopMining()
    await saveCheckpoint()
  },
})

/** Mines the pending transactions and resumes mining. */
export const mine = defineScenario({
  name: 'mine',
  description: 'Mines a block with the pending transactions, and resumes mining',
  effect: '`success` from broadcasts again',
  options: {},
  codes: [],
  part: 'mining',
  isMomentary: true,
  async inject({ operator, saveCheckpoint }) {
    await operator.stopMining()
    await saveCheckpoint()
    await operator.startMining()
    await operator.client.mine({ blocks: 1 })
  },
})

/**
 * Asserts that the chain mines. A block for a fault would also mine the pending transactions.
 *
 * @throws `svc/invalid-request`
 */
export async function assertMining({ chain: { chainId }, operator }: ScenarioContext): Promise<void> {
  if (await operator.client.getAutomine()) return
  const reason = 'mining is stopped. Run the scenario mine or reset first'
  throw Errors.invalidRequest({ field: 'chainId', value: chainId, action: `change chain ${chainId}`, reason })
}
