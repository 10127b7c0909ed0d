import { stringify } from 'viem'
import type { Doubts } from '../health/createDoubts.ts'
import type { NodeReader } from '../reader/createNodeReader.ts'
import type { Reader } from '../reader/createReader.ts'

// On a chain with a block every two seconds, this is one comparison a minute.
const readsPerComparison = 32

/**
 * Returns a reader that compares some of its reads of pools with another node, after it has returned them. The reads are
 * chosen at random, on average one of 32. The second healthy node gets the same request, and the first node gets no
 * further request, so no node can find out which of its answers are compared. A node that does not answer, or that does
 * not have the state, has no vote.
 */
export function createStateComparison({
  reader,
  nodes,
  doubts,
  random = Math.random,
}: createStateComparison.Dependencies): Reader {
  type States = Awaited<ReturnType<Reader['poolStates']>>

  async function compare(used: States, [probes, at]: Parameters<Reader['poolStates']>): Promise<void> {
    const [first, second] = nodes.filter(({ state }) => state() === 'healthy')
    if (!first || !second) return
    const other = await second.reader.poolStates(probes, at).catch(() => undefined)
    if (!other || stringify(other) === stringify(used)) return
    // It is unknown which node is wrong.
    for (const { position } of [first, second]) doubts.add({ subject: 'state', position })
  }
  return {
    ...reader,
    async poolStates(probes, at) {
      const states = await reader.poolStates(probes, at)
      // The nodes may have different newest blocks.
      if (at !== 'latest' && random() * readsPerComparison < 1) void compare(states, [probes, at])
      return states
    },
  }
}

export declare namespace createStateComparison {
  type Dependencies = {
    readonly reader: Reader
    /** In order of preference. */
    readonly nodes: readonly NodeReader[]
    readonly doubts: Pick<Doubts, 'add'>
    /** From 0 to 1; `Math.random` by default. */
    readonly random?: (() => number) | undefined
  }
}
