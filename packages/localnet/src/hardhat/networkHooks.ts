import type { Deployment } from '@agio/chain'
import { Network } from '@agio/core'
import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { HookContext, NetworkHooks } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import { HardhatPluginError } from 'hardhat/plugins'
import type { DeployedChain } from '../chain/LocalChain.ts'
import { toProvider, type Provider } from '../chain/Provider.ts'
import { isSimulated } from '../node/localNetworks.ts'
import { answerPadded } from '../node/padGasEstimates.ts'
import { deploymentMethods, rememberDeployment } from '../node/rememberDeployment.ts'
import { abis, type AgioConnection } from './AgioConnection.ts'

/** Creates the hooks that deploy to the local chains and forks, and that find the deployments of other networks. */
export async function createNetworkHooks(): Promise<Partial<NetworkHooks>> {
  const remember = rememberDeployment()
  return {
    async newConnection(context, next) {
      const connection = await next(context)
      const found = await connect(context, connection as NetworkConnection).catch((error: unknown) => {
        if (isSimulated(connection.networkName)) throw error
        return error
      })
      Object.defineProperty(connection, 'agio', { get: () => getChain(found, connection.networkName) })
      return connection
    },
    async onRequest(...[context, connection, request, next]) {
      if (!isSimulated(connection.networkName)) return await next(context, connection, request)
      return await remember(context, connection, request, async (...rest) => await answerPadded(...rest, next))
    },
  }
}

/** Deploys to a simulated network, and finds the deployment of another network. */
async function connect(context: HookContext, connection: NetworkConnection): Promise<DeployedChain | undefined> {
  const { networkConfig: network, networkName, provider } = connection
  if (network.type === 'edr-simulated') {
    if (!isSimulated(networkName)) return undefined
    const { prepareChain } = await import('../deployment/prepareChain.ts')
    const forked = await findForked(context, network)
    return await prepareChain(provider, { forked })
  }
  const isLocal = networkName === 'localhost'
  const chainId = isLocal ? Number(await provider.request({ method: 'eth_chainId' })) : (network.chainId ?? 0)
  if (!Network.isChainId(chainId)) return undefined
  const deployment = isLocal ? await askNode(provider) : await findFile(context, chainId)
  if (deployment === undefined) return undefined
  const { readDeployedChain } = await import('../deployment/readDeployedChain.ts')
  return await readDeployedChain(provider, deployment)
}

/** Asks the node of a fork, which may have this plugin. For any other node, reads the deployment file of the project. */
async function findForked(context: HookContext, { chainId, forking }: EdrNetworkConfig) {
  if (forking?.enabled !== true || !Network.isChainId(chainId)) return undefined
  const node = toProvider(await forking.url.getUrl(), { retryCount: 0 })
  return (await askNode(node)) ?? (await findFile(context, chainId))
}

async function askNode(node: Provider): Promise<Deployment | undefined> {
  return (await node.request({ method: deploymentMethods.get }).catch(() => undefined)) as Deployment | undefined
}

async function findFile({ config }: HookContext, chainId: Network.ChainId): Promise<Deployment | undefined> {
  const { findDeployment } = await import('../deployment/deploymentFile.ts')
  return await findDeployment(config.paths.deployments, chainId)
}

function isChain(found: unknown): found is DeployedChain {
  return typeof found === 'object' && found !== null && 'deployment' in found
}

function getChain(found: unknown, name: string): AgioConnection {
  if (isChain(found)) return { ...found, abis }
  const cause = found instanceof Error ? found : undefined
  const reason = cause
    ? 'its deployment cannot be read'
    : 'it has no deployment file. Use local84532, or deploy with hardhat agio deploy'
  throw new HardhatPluginError('agio', `Cannot use the contracts of Agio on network ${name}: ${reason}`, cause)
}
