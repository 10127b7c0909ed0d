import type { Network } from '@agio/core'
import { createHre } from './createHre.ts'
import { startNode, type LocalNode } from './startNode.ts'

/**
 * Starts a node for each chosen chain.
 *
 * @param running stops the nodes on disposal
 */
export async function startNodes(options: startNodes.Options, running: AsyncDisposableStack): Promise<LocalNode[]> {
  const { chainIds, ports, forks, blockIntervalMs, onProgress } = options
  const hre = await createHre(running)
  const nodes: LocalNode[] = []
  for (const chainId of chainIds) {
    const forkUrl = forks[chainId]
    onProgress(forkUrl === undefined ? `Starting chain ${chainId}` : `Forking chain ${chainId}`)
    const node = await startNode(hre, { chainId, port: ports[chainId], blockIntervalMs, forkUrl })
    running.defer(() => node.stop())
    nodes.push(node)
  }
  return nodes
}

export declare namespace startNodes {
  type Options = {
    readonly chainIds: readonly Network.ChainId[]
    readonly ports: Readonly<Record<Network.ChainId, number>>
    readonly forks: Readonly<Partial<Record<Network.ChainId, string>>>
    readonly blockIntervalMs: number
    readonly onProgress: (message: string) => void
  }
}
