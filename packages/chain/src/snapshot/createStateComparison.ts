import type { Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { readerAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import type { Doubts } from '../health/createDoubts.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { ReaderCalls } from '../reader/createReaderCalls.ts'

// On a chain with a block every two seconds, this is one comparison a minute.
const blocksPerComparison = 32

/**
 * Creates the comparison of the pools' state at two nodes, for every 32nd block that was read. A node that does not
 * answer, or that does not have the state, has no vote.
 */
export function createStateComparison({
  nodes,
  doubts,
  readerCalls,
  pools,
}: createStateComparison.Dependencies): StateComparison {
  let blocks = 0

  async function compare({ hash }: Head): Promise<void> {
    const data = encodeFunctionData({ abi: readerAbi, functionName: 'poolStates', args: [pools] })
    const { request } = readerCalls.create('poolStates', pools.length, { data, at: hash })
    const healthy = nodes.filter((node) => node.state() === 'healthy').slice(0, 2)
    const [first, second] = await Promise.all(
      healthy.map(async (node) => {
        const result = await node.read({ request, startedAtMs: performance.now() }).catch(() => undefined)
        return { position: node.position, result }
      }),
    )
    if (first?.result === undefined || second?.result === undefined || first.result === second.result) return
    // It is unknown which node is wrong.
    for (const { position } of [first, second]) doubts.add({ subject: 'state', position })
  }
  return {
    observe(head) {
      blocks += 1
      if (nodes.length > 1 && pools.length > 0 && blocks % blocksPerComparison === 0) void compare(head)
    },
  }
}

export declare namespace createStateComparison {
  type Dependencies = {
    /** In order of preference. */
    readonly nodes: readonly Pick<UpstreamNode, 'position' | 'state' | 'read'>[]
    readonly doubts: Pick<Doubts, 'add'>
    readonly readerCalls: Pick<ReaderCalls, 'create'>
    /** The pools of the deployment. */
    readonly pools: readonly Address[]
  }
}

/** Compares the pools' state at two nodes. */
export type StateComparison = {
  /** Takes each head whose pools were read. */
  observe(head: Head): void
}
