import { Network } from '@agio/core'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assets, checkout } from '../assets/assets.ts'
import { findDeployment, writeDeployment } from '../deployment/deploymentFile.ts'
import { prepareChain } from '../deployment/prepareChain.ts'
import { toProvider } from '../chain/Provider.ts'
import type { LocalChain, LocalChains } from '../chain/LocalChain.ts'
import { assertPortFree } from '../node/assertPortFree.ts'
import type { LocalNode } from '../node/startNode.ts'
import { startNodes } from '../node/startNodes.ts'
import { pushPrices, startKeeper, type Keeper } from '../price/keeper.ts'

/**
 * Starts a chain for each network, or for the chosen networks, in this process, deploys and funds the contracts, and keeps
 * the prices fresh.
 *
 * Addresses are the same at every start, and on all chains. A start that fails leaves nothing running.
 *
 * @throws `Error` if a port is taken, if a node to fork from does not respond, or if no chain or an unknown one is chosen
 *
 * @example
 * await using localnet = await startLocalnet({ rpcPort: 0 })
 * const { rpcUrl, tokens, pools } = localnet.chains[84532]
 */
export async function startLocalnet<Id extends Network.ChainId = Network.ChainId>(
  options: startLocalnet.Options<Id> = {},
): Promise<Localnet<Id>> {
  const { chainIds, ports, onProgress, ...defaults } = withDefaults(options)
  for (const chainId of chainIds) await assertPortFree(ports[chainId])

  await using starting = new AsyncDisposableStack()
  const deploymentsDir = options.deploymentsDir ?? (await findDeploymentsDir(starting))
  const settings = { ...defaults, chainIds, ports, onProgress, deploymentsDir }
  const nodes = await startNodes(settings, starting)
  const chains = await Promise.all(nodes.map((node) => prepare(node, settings)))
  const keeper = startKeeper(chains, {
    push: pushPrices,
    intervalMs: settings.keeperIntervalMs,
    onFailure: (error) => onProgress(`Cannot push prices: ${String(error)}`),
  })
  starting.defer(() => keeper.stop())
  const running = starting.move()
  return {
    chains: Object.fromEntries(chains.map((chain) => [chain.chainId, chain])) as Record<Id, LocalChain>,
    deploymentsDir,
    keeper,
    blockIntervalMs: settings.blockIntervalMs,
    stop: () => running.disposeAsync(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export declare namespace startLocalnet {
  type Options<Id extends Network.ChainId = Network.ChainId> = {
    /** The chains to start. Default: the chains of all networks. */
    readonly chains?: readonly Id[] | undefined
    /** The first of consecutive ports, one for each chain. 0 takes any free ports. Default: 8545. */
    readonly rpcPort?: number | undefined
    /** The folder for `<chainId>.json`. Default: `.local/deployments` in the repository, and a temporary folder elsewhere. */
    readonly deploymentsDir?: string | undefined
    /** Chains to fork, each with the URL of a node. The other chains are new. */
    readonly forks?: Readonly<Partial<Record<Network.ChainId, string>>> | undefined
    /** The folder with the deployments of forked chains. Default: the networks of the repository. */
    readonly forkDeploymentsDir?: string | undefined
    /** Time between two price updates. Default: 15 minutes. */
    readonly keeperIntervalMs?: number | undefined
    /** Time between two empty blocks. Default: 2 seconds. */
    readonly blockIntervalMs?: number | undefined
    /** Receives each step of the start, and later the errors of the keeper. */
    readonly onProgress?: ((message: string) => void) | undefined
  }
}

/** The running local chains: at least those of `Id`. Disposing them stops them. */
export type Localnet<Id extends Network.ChainId = Network.ChainId> = AsyncDisposable & {
  readonly chains: Readonly<Record<Id, LocalChain>> & LocalChains
  readonly deploymentsDir: string
  /** Keeps the prices fresh. */
  readonly keeper: Keeper
  /** Time between two empty blocks. */
  readonly blockIntervalMs: number
  /** Stops the chains and the keeper, and frees the ports. */
  stop(): Promise<void>
}

/** Deploys the contracts to a node, or finds those of its fork, and writes the deployment file. */
async function prepare({ chainId, rpcUrl }: LocalNode, options: Settings): Promise<LocalChain> {
  const { forks, forkDeploymentsDir, deploymentsDir, onProgress } = options
  const forked = forks[chainId] === undefined ? undefined : await findDeployment(forkDeploymentsDir, chainId)
  const chain = await prepareChain(toProvider(rpcUrl, { batch: true }), { forked, onProgress })
  await writeDeployment(deploymentsDir, chain.deployment)
  return { ...chain, rpcUrl }
}

type Settings = ReturnType<typeof withDefaults> & { readonly deploymentsDir: string }

async function findDeploymentsDir(running: AsyncDisposableStack): Promise<string> {
  if (checkout !== undefined) return join(checkout, '.local/deployments')
  const folder = await mkdtemp(join(tmpdir(), 'agio-deployments-'))
  running.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function withDefaults({ rpcPort, chains = Network.chainIds, ...options }: startLocalnet.Options) {
  return {
    chainIds: parseChains(chains),
    ports: Network.map((chainId) => Network.toLocalRpcPort(chainId, rpcPort)),
    forkDeploymentsDir: options.forkDeploymentsDir ?? assets.deployments,
    forks: options.forks ?? {},
    keeperIntervalMs: options.keeperIntervalMs ?? 900_000,
    blockIntervalMs: options.blockIntervalMs ?? 2000,
    onProgress: options.onProgress ?? (() => {}),
  }
}

function parseChains(chains: readonly number[]): readonly Network.ChainId[] {
  const unknown = chains.find((chainId) => !Network.isChainId(chainId))
  const supported = Network.chainIds.join(' and ')
  if (unknown !== undefined) throw new Error(`Cannot start chain ${unknown}: the chains are ${supported}`)
  if (chains.length === 0) throw new Error(`Cannot start: chains is empty. Name at least one of ${supported}`)
  return Network.chainIds.filter((chainId) => chains.includes(chainId))
}
