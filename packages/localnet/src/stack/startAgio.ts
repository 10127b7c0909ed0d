import type { Network } from '@agio/core'
import { assets, isConsoleBuilt } from '@agio/server'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalnet, type Localnet } from '../localnet/startLocalnet.ts'
import { localServiceDefaults } from '../service/localServiceDefaults.ts'
import { startLocalService, type LocalService } from '../service/startLocalService.ts'
import { createPlays, type StackScenarios } from './createPlays.ts'
import { createStackClient, type StackClient } from './createStackClient.ts'

/**
 * Starts a local stack in this process: the chains with contracts and fresh prices, and the service on them. It takes free
 * ports and keeps its data in a temporary folder, so that any number of stacks run side by side. It is ready when it is
 * returned. A start that fails leaves nothing running.
 *
 * @throws `Error` if a port is taken, or if a node to fork from does not respond; the errors of `startLocalService`
 *
 * @example
 * await using agio = await startAgio({ chains: [84532] })
 * const { tAUD, tUSD } = agio.tokens[84532]
 * const quote = await agio.client.quote({ chainId: 84532, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100' })
 * const receipt = await agio.client.convert({ quote, wallet: await agio.wallet({ tAUD: '1000' }) })
 */
export async function startAgio<Id extends Network.ChainId = Network.ChainId>(
  options: startAgio.Options<Id> = {},
  dependencies: startLocalService.Dependencies = {},
): Promise<AgioStack<Id>> {
  await using starting = new AsyncDisposableStack()
  const localnet = options.localnet ?? starting.use(await startChains(options, starting))
  const { port = 0, settings } = options
  const consoleDir = options.console ? getConsoleDir() : undefined
  const hasNewChains = options.localnet === undefined
  const serviceSettings = { port, consoleDir, ...settings }
  const service = starting.use(await startLocalService(localnet, serviceSettings, { ...dependencies, hasNewChains }))
  const plays = starting.use(createPlays(service.scenarios))
  const running = starting.move()
  const stop = () => running.disposeAsync()
  const { adminKey = localServiceDefaults.adminKey } = settings ?? {}
  const { apiKey = localServiceDefaults.presetKeys[0].secret } = options
  const connection = { url: service.url, apiKey, adminKey, chains: localnet.chains }
  return {
    ...service,
    ...createStackClient<Id>(connection, service.scenarios.fund),
    scenarios: { ...service.scenarios, play: plays.play },
    localnet,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export declare namespace startAgio {
  type Options<Id extends Network.ChainId = Network.ChainId> = Chains<Id> & {
    /** The port of the service. Default: any free port. */
    readonly port?: number | undefined
    /** Whether the service has its console at `/console`. Default: false. */
    readonly console?: boolean | undefined
    /** Settings of the service that differ from `localServiceDefaults`. */
    readonly settings?: startLocalService.Settings | undefined
    /** The API key of `client`. Default: `local-key`, which has no limits. */
    readonly apiKey?: string | undefined
    /** Running chains to serve, which the caller stops. Default: new ones. */
    readonly localnet?: Localnet<Id> | undefined
  }
  /** How the chains are started. */
  type Chains<Id extends Network.ChainId> = Pick<
    startLocalnet.Options<Id>,
    'blockIntervalMs' | 'chains' | 'forkDeploymentsDir' | 'keeperIntervalMs' | 'onProgress'
  > & {
    /** The first of consecutive ports, one for each chain. Default: any free ports. */
    readonly rpcPort?: number | undefined
    /** Chains to fork, each with the URL of a node. The other chains are new. */
    readonly fork?: Readonly<Partial<Record<Id, string>>> | undefined
  }
}

/** The running local stack. Disposing it stops it. */
export type AgioStack<Id extends Network.ChainId = Network.ChainId> = Omit<LocalService, 'scenarios'> &
  StackClient<Id> & {
    readonly scenarios: StackScenarios
    readonly localnet: Localnet<Id>
    /** Stops the service, and the chains if they were started with it, and removes their data. */
    stop(): Promise<void>
  }

async function startChains<Id extends Network.ChainId>(
  { fork, rpcPort = 0, chains, ...options }: startAgio.Chains<Id>,
  starting: AsyncDisposableStack,
): Promise<Localnet<Id>> {
  const deploymentsDir = await mkdtemp(join(tmpdir(), 'agio-stack-'))
  starting.defer(() => rm(deploymentsDir, { recursive: true, force: true }))
  const { blockIntervalMs, forkDeploymentsDir, keeperIntervalMs, onProgress } = options
  const kept = { blockIntervalMs, forkDeploymentsDir, keeperIntervalMs, onProgress }
  return await startLocalnet({ ...kept, chains, rpcPort, forks: fork, deploymentsDir })
}

function getConsoleDir(): string {
  if (isConsoleBuilt(assets.console)) return assets.console
  throw new Error('Cannot serve the console: it is not built. Run "pnpm build" in the checkout')
}
