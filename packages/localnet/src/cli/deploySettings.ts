import { Network } from '@agio/core'
import { defineSettings, serviceSettings } from '@agio/server/cli'
import { z } from 'zod'

/** The settings of `agio contracts deploy`. */
export const deploySettings = defineSettings({
  ...Object.fromEntries(
    Network.all.map(({ chainId }) => [
      `rpcUrl${chainId}`,
      {
        env: `RPC_URL_${chainId}`,
        schema: z.string(),
        group: 'chains',
        help: `Node of chain ${chainId}`,
        secret: true,
      } as const,
    ]),
  ),
  deployerKey: {
    env: 'DEPLOYER_KEY',
    schema: z.string().regex(/^0x[\da-f]{64}$/i, 'must be a private key: 0x and 64 hexadecimal digits'),
    group: 'chains',
    help: 'Private key that deploys and pays. It owns the contracts unless --owner hands them over',
    secret: true,
  },
  deploymentsDir: { ...serviceSettings.deploymentsDir, help: 'Folder of the deployment file' },
})

/** The names of the networks that contracts can be deployed to. */
export const networkNames = Network.all.map(({ slug }) => slug).join(', ')
