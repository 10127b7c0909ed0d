// `@agio/localnet/hardhat`: the plugin of Hardhat. Its hooks and tasks load when they run, so that Hardhat starts fast.
import { emptyTask, overrideTask, task } from 'hardhat/config'
import { definePlugin } from 'hardhat/plugins'
import { ArgumentType } from 'hardhat/types/arguments'
import type { AgioConnection } from './hardhat/AgioConnection.ts'

const text = { type: ArgumentType.STRING_WITHOUT_DEFAULT, defaultValue: undefined } as const

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
  tasks: [
    overrideTask('node')
      .setAction(async () => ({ default: (await import('./hardhat/runNode.ts')).runNode }))
      .build(),
    emptyTask('agio', 'Deploy the contracts of Agio').build(),
    task(['agio', 'deploy'], 'Deploys tokens, oracles, pools, router and faucet, and writes the deployment file')
      .addOption({ ...text, name: 'dollarsPerSide', description: 'Initial value of each side of each pool' })
      .addOption({ ...text, name: 'owner', description: 'Hands every contract over to this account' })
      .addOption({ ...text, name: 'guardian', description: 'May also freeze the pools, and not unfreeze them' })
      .addOption({ ...text, name: 'sequencerFeed', description: 'Uptime feed of the sequencer' })
      .addOption({ ...text, name: 'referenceFeed', description: 'Price feed of the dollar token' })
      .setAction(async () => ({ default: (await import('./hardhat/runDeploy.ts')).runDeploy }))
      .build(),
  ],
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
