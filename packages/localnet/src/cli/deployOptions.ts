import { Network } from '@agio/core'
import { defineSettings, formatHelp, serviceSettings } from '@agio/server/cli'
import { parseArgs } from 'node:util'
import { z } from 'zod'

/** The settings of `pnpm contracts:deploy`. */
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
    schema: z.string(),
    group: 'chains',
    help: 'Private key that deploys, pays and owns the contracts',
    secret: true,
  },
  deploymentsDir: { ...serviceSettings.deploymentsDir, help: 'Folder of the deployment file' },
})

const synopsis = 'pnpm contracts:deploy --network <name> [--dollars-per-side 1000000]'

/** The usage of `pnpm contracts:deploy`. */
export const deployUsage = `${synopsis}

Deploys tokens, oracles, pools, router, faucet and reader to a test network, and writes its deployment file.
Options:
  --network <name>           ${Network.all.map(({ slug }) => slug).join(' or ')}
  --dollars-per-side <n>     the initial value of each side of each pool, default 1000000

Environment variables:
${formatHelp(deploySettings)}`

/** Parses the command line of a deployment. @throws `Error` with the usage */
export function parseDeployOptions(args: readonly string[]): parseDeployOptions.Result {
  const { network, 'dollars-per-side': dollars } = parse(args)
  if (!network) throw new Error(`Cannot deploy: --network is missing. Usage: ${synopsis}`)
  if (dollars === undefined) return { network }
  if (/^[1-9]\d{0,11}$/.test(dollars)) return { network, dollarsPerSide: Number(dollars) }
  throw new Error(`Cannot deploy: '${dollars}' is not a number of whole dollars. Usage: ${synopsis}`)
}

export declare namespace parseDeployOptions {
  type Result = { readonly network: string; readonly dollarsPerSide?: number }
}

function parse(args: readonly string[]) {
  try {
    const options = { network: { type: 'string' }, 'dollars-per-side': { type: 'string' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (cause) {
    throw new Error(`Cannot deploy: ${(cause as Error).message}. Usage: ${synopsis}`, { cause })
  }
}
