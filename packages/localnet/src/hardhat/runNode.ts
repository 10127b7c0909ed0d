import { Network } from '@agio/core'
import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { NetworkHooks } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import type { TaskOverrideActionFunction } from 'hardhat/types/tasks'
import type { DeployedChain } from '../chain/LocalChain.ts'
import { formatTable } from '../cli/formatTable.ts'
import { assertPortFree, host } from '../node/assertPortFree.ts'
import { isSimulated } from '../node/localNetworks.ts'
import { pushPricesOver, startKeeper } from '../price/keeper.ts'

const keeperIntervalMs = 900_000

/** Runs `hardhat node`: on a network of this plugin it listens on the loopback interface, and keeps the prices fresh. */
export const runNode: TaskOverrideActionFunction = async (options, hre, runSuper) => {
  const network = hre.globalOptions.network ?? ''
  if (!isSimulated(network)) return await runSuper(options)
  await using running = new AsyncDisposableStack()
  const hooks: Partial<NetworkHooks> = {
    async newConnection(context, next) {
      const connection = await next(context)
      keepPrices(connection as NetworkConnection, running)
      return connection
    },
  }
  hre.hooks.registerHandlers('network', hooks)
  running.defer(() => hre.hooks.unregisterHandlers('network', hooks))
  const given = options as { readonly hostname?: string; readonly port: number }
  const { chainId } = hre.config.networks[network] as EdrNetworkConfig
  const first = Network.isChainId(chainId) ? Network.toLocalRpcPort(chainId) : given.port
  const port = given.port === Network.defaultFirstRpcPort ? await findFreePort(first) : given.port
  return await runSuper({ ...options, hostname: given.hostname ?? host, port })
}

function keepPrices({ agio, provider }: NetworkConnection, running: AsyncDisposableStack): void {
  const keeper = startKeeper([agio], {
    push: (chain) => pushPricesOver(provider, chain),
    intervalMs: keeperIntervalMs,
    onFailure: (error) => console.error(`Cannot push prices: ${String(error)}`),
  })
  running.defer(() => keeper.stop())
  console.log(`${formatContracts(agio)}\n`)
}

function formatContracts({ chainId, deployment, tokens, pools }: DeployedChain): string {
  const { router, faucet = 'none' } = deployment
  return formatTable(Object.entries({ Chain: `${chainId}`, ...tokens, ...pools, Router: router, Faucet: faucet }))
}

/** Finds a port beside the nodes of a running stack, which has consecutive ports. */
async function findFreePort(port: number): Promise<number> {
  try {
    await assertPortFree(port)
    return port
  } catch {
    return await findFreePort(port + Network.chainIds.length)
  }
}
