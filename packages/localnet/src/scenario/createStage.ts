import type { ChainId } from '@agio/core'
import type { LocalChain } from '../LocalChain.ts'
import { pushPrices } from '../price/pushPrices.ts'
import type { Localnet } from '../startLocalnet.ts'
import { createOperator } from './chain/createOperator.ts'
import { invalidOption } from './options/invalidOption.ts'
import type { FaultProxy } from './rpc/startFaultProxy.ts'
import type { Stage } from './Scenario.ts'
import { untilSeen } from './untilSeen.ts'

/** Prepares one chain for scenarios, and remembers what they leave behind until it is reset. */
export function createStage(chain: LocalChain, settings: createStage.Settings): ResettableStage {
  const { keeper, blockIntervalMs, proxy, getServiceUrl, forgetFaults } = settings
  const { chainId } = chain
  const operator = createOperator(chain, { blockIntervalMs })
  let undos = new AsyncDisposableStack()

  const stage: Stage = {
    chain,
    operator,
    keeper,
    getProxy() {
      if (proxy) return proxy
      throw invalidOption('name', undefined, 'nothing stands between the service and its node that could fail')
    },
    letAsk: () => forgetFaults?.(chainId),
    onReset: (undo) => undos.defer(undo),
    async untilSeen(blockNumber) {
      // Through a fault it sees nothing.
      const findServiceUrl = () => (proxy?.isFaulty() ? undefined : getServiceUrl())
      await untilSeen(findServiceUrl, { chainId, blockNumber })
    },
  }
  async function settle(): Promise<bigint> {
    const newest = await operator.readNewest()
    await stage.untilSeen(newest)
    return newest
  }
  return {
    ...stage,
    settle,
    async reset() {
      if (!(await operator.client.getAutomine())) await operator.startMining()
      const undone = undos
      undos = new AsyncDisposableStack()
      await undone.disposeAsync()
      stage.letAsk()
      await pushPrices(chain)
      return await settle()
    },
  }
}

export declare namespace createStage {
  type Settings = Pick<Localnet, 'keeper' | 'blockIntervalMs'> & {
    readonly proxy: FaultProxy | undefined
    /** Where the service answers that is to see everything; undefined if there is none. */
    readonly getServiceUrl: () => string | undefined
    /** Lets that service ask the nodes of a chain at once. */
    readonly forgetFaults: ((chainId: ChainId) => void) | undefined
  }
}

export type ResettableStage = Stage & {
  /** Waits until the service has seen the newest block, and gives back its number. */
  settle(): Promise<bigint>
  /** Takes all faults away, the last first, and gives back the number of the block that holds what is then. */
  reset(): Promise<bigint>
}
