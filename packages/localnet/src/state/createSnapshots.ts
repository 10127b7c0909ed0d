import { Errors, toSafeEcho } from '@agio/core'
import type { LocalControls } from '@agio/server'
import type { Hex } from 'viem'
import { assertMining } from '../scenarios/chain/mining.ts'
import type { ResettableContext } from '../scenarios/createScenarioContext.ts'
import type { Exclusively } from '../scenarios/createScenarios.ts'
import type { ScenarioContext } from '../scenarios/definition/defineScenario.ts'

/** Creates the snapshots of a local stack: of its chains and of its service together. */
export function createSnapshots({ getControls, exclusively }: createSnapshots.Dependencies) {
  // In the order in which they were taken.
  const snapshots = new Map<string, TakenSnapshot>()
  let taken = 0

  function get(id: string, action: string): TakenSnapshot {
    const snapshot = snapshots.get(id)
    if (snapshot) return snapshot
    const isKnown = Number(/^snapshot-(\d+)$/.exec(id)?.[1] ?? Infinity) <= taken
    const reason = isKnown ? 'it was deleted, or an older snapshot was restored since' : 'no snapshot has this id'
    throw Errors.notFound({ action: `${action} snapshot '${toSafeEcho(id)}'`, reason })
  }
  async function remove(id: string, { discard }: TakenSnapshot): Promise<void> {
    snapshots.delete(id)
    await discard()
  }
  return {
    /**
     * Takes a snapshot of the chains and the service, and returns its id.
     *
     * @throws `svc/invalid-request` while a fault is active, and if other processes share the database or the limits
     */
    take: () =>
      exclusively(async (contexts) => {
        for (const context of contexts) await assertWithoutFaults(context)
        const service = await getControls().takeSnapshot()
        const restores = await Promise.all(contexts.map(takeChainSnapshot))
        // A reorganisation must not replace blocks from before the snapshot, which would use it up.
        await Promise.all(contexts.map((context) => context.saveCheckpoint()))
        taken += 1
        const id = `snapshot-${taken}`
        const restoreChains = async () => {
          await Promise.all(restores.map((restore) => restore()))
          await resetAll(contexts)
        }
        snapshots.set(id, { restore: () => service.restore(restoreChains), discard: service.discard })
        return id
      }),
    /**
     * Removes all faults, returns the chains and the service to a snapshot, and pushes the prices. Time does not go back.
     * Newer snapshots are gone afterwards. Open streams end with `reconnect`.
     *
     * @throws `svc/not-found`; `svc/upstream-timeout` if the service does not report the restored block
     */
    restore: (id: string) =>
      exclusively(async (contexts) => {
        const snapshot = get(id, 'restore')
        // The undo of a fault belongs to the chain with the fault.
        if (contexts.some((context) => context.listActive().length > 0)) await resetAll(contexts)
        const ids = [...snapshots.keys()]
        for (const [newer, each] of [...snapshots].slice(ids.indexOf(id) + 1)) await remove(newer, each)
        await snapshot.restore()
      }),
    /** Deletes a snapshot. @throws `svc/not-found` */
    discard: (id: string) => exclusively(async () => await remove(id, get(id, 'delete'))),
  }
}

export declare namespace createSnapshots {
  type Dependencies = {
    /** Returns the controls of the service once it has started. */
    readonly getControls: () => Pick<LocalControls, 'takeSnapshot'>
    readonly exclusively: Exclusively
  }
}

/** The snapshots of a local stack. */
export type Snapshots = ReturnType<typeof createSnapshots>

type TakenSnapshot = { restore(): Promise<void>; discard(): Promise<void> }

async function assertWithoutFaults(context: ResettableContext): Promise<void> {
  const [fault] = context.listActive()
  if (fault !== undefined) {
    const { chainId } = context.chain
    const reason = `the scenario ${fault.scenario} is active on chain ${chainId}. Reset the scenarios first`
    throw Errors.invalidRequest({ field: 'chainId', value: chainId, action: 'take a snapshot', reason })
  }
  await assertMining(context)
}

async function resetAll(contexts: readonly ResettableContext[]): Promise<void> {
  const resets = contexts.map((context) => context.reset())
  // If one reset fails, the other resets must still finish.
  await Promise.allSettled(resets)
  await Promise.all(resets)
}

/**
 * Takes a snapshot of a chain. It keeps its time at a restore, and continues above its newest block: to a service, a node
 * whose newest block is older than the known block is lagging.
 *
 * @returns a function that restores the snapshot, any number of times. It throws `svc/not-found` if the node no longer
 * has the snapshot
 */
async function takeChainSnapshot({
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
