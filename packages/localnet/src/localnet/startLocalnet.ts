import { Network } from '@agio/core'
import { join } from 'node:path'
import { prepareChain } from '../deployment/prepareChain.ts'
import type { LocalChain } from '../chain/LocalChain.ts'
import { assertPortFree } from '../node/assertPortFree.ts'
import { startNodes } from '../node/startNodes.ts'
import { startKeeper, type Keeper } from '../price/keeper.ts'
import { projectRoot } from '../project/projectRoot.ts'

/**
 * Starts a chain for each network in this process, deploys and funds the contracts, and keeps the prices fresh.
 *
 * Addresses are the same at every start, and on all chains. A start that fails leaves nothing running.
 *
 * @throws `Error` if a port is taken, or if a node to fork from does not respond
 *
 * @example
 * await using localnet = await startLocalnet({ rpcPort: 0 })
 * const { rpcUrl, tokens, pools } = localnet.chains[84532]
 */
export async function startLocalnet(options: startLocalnet.Options = {}): Promise<Localnet> {
  const settings = withDefaults(options)
  const { ports, deploymentsDir, onProgress } = settings
  for (const port of Object.values(ports)) await assertPortFree(port)

  await using starting = new AsyncDisposableStack()
  const nodes = await startNodes(settings, starting)
  const chains = await Promise.all(nodes.map((node) => prepareChain(node, settings)))
  const keeper = startKeeper(chains, {
    intervalMs: settings.keeperIntervalMs,
    onFailure: (error) => onProgress(`Cannot push prices: ${String(error)}`),
  })
  starting.defer(() => keeper.stop())
  const running = starting.move()
  return {
    chains: Object.fromEntries(chains.map((chain) => [chain.chainId, chain])) as Record<Network.ChainId, LocalChain>,
    deploymentsDir,
    keeper,
    blockIntervalMs: settings.blockIntervalMs,
    stop: () => running.disposeAsync(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export declare namespace startLocalnet {
  type Options = {
    /** The first of consecutive ports, one for each chain. 0 takes any free ports. Default: 8545. */
    readonly rpcPort?: number | undefined
    /** The folder for `<chainId>.json`. Default: `.local/deployments` of this repository. */
    readonly deploymentsDir?: string | undefined
    /** Chains to fork, each with the URL of a node. The other chains are new. */
    readonly forks?: Readonly<Partial<Record<Network.ChainId, string>>> | undefined
    /** The folder with the deployments of forked chains. Default: `deployments` of this repository. */
    readonly forkDeploymentsDir?: string | undefined
    /** Time between two price updates. Default: 15 minutes. */
    readonly keeperIntervalMs?: number | undefined
    /** Time between two empty blocks. Default: 2 seconds. */
    readonly blockIntervalMs?: number | undefined
    /** Receives each step of the start, and later the errors of the keeper. */
    readonly onProgress?: ((message: string) => void) | undefined
  }
}

/** The running local chains. Disposing them stops them. */
export type Localnet = AsyncDisposable & {
  readonly chains: Readonly<Record<Network.ChainId, LocalChain>>
  readonly deploymentsDir: string
  /** Keeps the prices fresh. */
  readonly keeper: Keeper
  /** Time between two empty blocks. */
  readonly blockIntervalMs: number
  /** Stops the chains and the keeper, and frees the ports. */
  stop(): Promise<void>
}

function withDefaults({ rpcPort, ...options }: startLocalnet.Options) {
  return {
    ports: Network.map((chainId) => Network.toLocalRpcPort(chainId, rpcPort)),
    deploymentsDir: options.deploymentsDir ?? join(projectRoot, '.local/deployments'),
    forkDeploymentsDir: options.forkDeploymentsDir ?? join(projectRoot, 'deployments'),
    forks: options.forks ?? {},
    keeperIntervalMs: options.keeperIntervalMs ?? 900_000,
    blockIntervalMs: options.blockIntervalMs ?? 2000,
    onProgress: options.onProgress ?? (() => {}),
  }
}
