// `@agio/localnet/hardhat`: the plugin of Hardhat. Its hooks load when they run, so that Hardhat starts fast.
import { definePlugin } from 'hardhat/plugins'
import type { AgioConnection } from './hardhat/AgioConnection.ts'

/**
 * The plugin of Hardhat for Agio: the networks `local84532`, `local421614`, `fork84532`, `fork421614`, `baseSepolia` and
 * `arbitrumSepolia`. The local networks and forks have the contracts, and `connection.agio` has their addresses.
 *
 * @example
 * import agio from '@agio/localnet/hardhat'
 * import viem from '@nomicfoundation/hardhat-viem'
 *
 * export default defineConfig({ plugins: [agio, viem] })
 */
const plugin = definePlugin({
  id: 'agio',
  npmPackage: '@agio/localnet',
  hookHandlers: {
    config: async () => ({ default: (await import('./hardhat/configHooks.ts')).createConfigHooks }),
    network: async () => ({ default: (await import('./hardhat/networkHooks.ts')).createNetworkHooks }),
  },
})

export default plugin
export type { AgioConnection }

declare module 'hardhat/types/network' {
  interface NetworkConnection {
    /**
     * The contracts of the network: tokens, pools and oracles by name, the deployment with router and faucet, and the ABIs.
     *
     * @throws `Error` if the network has no contracts of Agio
     */
    readonly agio: AgioConnection
  }
}

declare module 'hardhat/types/config' {
  interface ProjectPathsUserConfig {
    /** The folder of the deployment files, `<chainId>.json`. Default: `deployments`. */
    deployments?: string
  }

  interface ProjectPathsConfig {
    deployments: string
  }
}
