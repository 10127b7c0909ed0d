import { Network } from '@agio/core'
import { nodeUrls } from './settingSchemas.ts'

type NodeSetting = {
  readonly env: `RPC_URL_${Network.ChainId}`
  readonly schema: typeof nodeUrls
  readonly default: readonly string[]
  readonly group: 'chains'
  readonly help: string
  readonly secret: true
}

/** The settings of the nodes of each chain. */
export const nodeSettings = Object.fromEntries(
  Network.chainIds.map((chainId): [string, NodeSetting] => [
    `rpcUrl${chainId}`,
    {
      env: `RPC_URL_${chainId}`,
      schema: nodeUrls,
      default: [`http://127.0.0.1:${Network.toLocalRpcPort(chainId)}`],
      group: 'chains',
      help: `Nodes of chain ${chainId} by http(s):// or ws(s)://, comma-separated, in order of preference. With ws(s):// the service subscribes to new blocks`,
      secret: true,
    },
  ]),
) as Record<`rpcUrl${Network.ChainId}`, NodeSetting>
