import { Errors } from '@agio/core'
import type { Hex } from 'viem'
import type { ScenarioContext } from '../scenarios/definition/defineScenario.ts'

/**
 * Takes a snapshot of a chain. It keeps its time at a restore, and continues above its newest block: to a service, a node
 * whose newest block is older than the known block is lagging.
 *
 * @returns a function that restores the snapshot, any number of times. It throws `svc/not-found` if the node no longer
 * has the snapshot
 */
export async function takeChainSnapshot({
  chain: { chainId },
  operator: { client, readNewest, startMining, stopMining },
}: Pick<ScenarioContext, 'chain' | 'operator'>): Promise<() => Promise<void>> {
  let id = await client.snapshot()
  async function restore(): Promise<void> {
    const [newest, next] = await Promise.all([readNewest(), client.getBlock({ blockTag: 'pending' })])
    if (!(await client.request<Revert>({ method: 'evm_revert', params: [id] }))) {
      throw Errors.notFound({ action: `restore chain ${chainId}`, reason: 'its node no longer has the snapshot' })
    }
    // A revert uses the snapshot up.
    id = await client.snapshot()
    // A revert also sets the clock of the node back.
    await client.setNextBlockTimestamp({ timestamp: next.timestamp })
    await client.mine({ blocks: Number(newest - (await readNewest())) + 1, interval: 0 })
  }
  return async () => {
    // A block that the node mines during the restore may be later than the time or the height that the restore sets.
    await stopMining()
    try {
      await restore()
    } finally {
      await startMining()
    }
  }
}

type Revert = { Method: 'evm_revert'; Parameters: [id: Hex]; ReturnType: boolean }
