import { Network } from '@agio/core'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import { createHre } from './createHre.ts'
import { startNode, type LocalNode } from './startNode.ts'

/**
 * Starts a node for every chain.
 *
 * @param running stops the nodes on disposal
 */
export async function startNodes(options: startNodes.Options, running: AsyncDisposableStack): Promise<LocalNode[]> {
  const { ports, forks, blockIntervalMs, onProgress } = options
  const hre = await (Object.keys(forks).length === 0 ? getSharedHre() : createForkingHre(running))
  const nodes: LocalNode[] = []
  for (const chainId of Network.chainIds) {
    const forkUrl = forks[chainId]
    onProgress(forkUrl === undefined ? `Starting chain ${chainId}` : `Forking chain ${chainId}`)
    const node = await startNode(hre, { chainId, port: ports[chainId], blockIntervalMs, forkUrl })
    running.defer(() => node.stop())
    nodes.push(node)
  }
  return nodes
}

let shared: Promise<HardhatRuntimeEnvironment> | undefined

/**
 * All new chains of a process share this instance, because each instance reads megabytes of build output to explain
 * reverts.
 */
async function getSharedHre(): Promise<HardhatRuntimeEnvironment> {
  shared ??= createHre()
  return await shared
}

async function createForkingHre(running: AsyncDisposableStack): Promise<HardhatRuntimeEnvironment> {
  // Hardhat identifies forks by host and port, but a local port may belong to another chain at the next start.
  const cacheDir = join(tmpdir(), `agio-localnet-${randomUUID()}`)
  running.defer(() => rm(cacheDir, { recursive: true, force: true }))
  return await createHre(cacheDir)
}

export declare namespace startNodes {
  type Options = {
    readonly ports: Readonly<Record<Network.ChainId, number>>
    readonly forks: Readonly<Partial<Record<Network.ChainId, string>>>
    readonly blockIntervalMs: number
    readonly onProgress: (message: string) => void
  }
}
