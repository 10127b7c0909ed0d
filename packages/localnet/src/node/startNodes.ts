import { chainIds, type ChainId } from '@agio/core'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHre } from './createHre.ts'
import { startNode, type LocalNode } from './startNode.ts'

/**
 * Starts a node for every chain.
 *
 * @param running stops the nodes when it is disposed
 */
export async function startNodes(settings: startNodes.Settings, running: AsyncDisposableStack): Promise<LocalNode[]> {
  const { ports, forks, blockIntervalMs, onProgress } = settings
  // Hardhat identifies forks by host and port, and a local port may belong to another chain at the next start.
  const cacheDir = join(tmpdir(), `agio-localnet-${randomUUID()}`)
  running.defer(() => rm(cacheDir, { recursive: true, force: true }))
  const hre = await createHre(cacheDir)
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
  type Settings = {
    readonly ports: Readonly<Record<ChainId, number>>
    readonly forks: Readonly<Partial<Record<ChainId, string>>>
    readonly blockIntervalMs: number
    readonly onProgress: (message: string) => void
  }
}
