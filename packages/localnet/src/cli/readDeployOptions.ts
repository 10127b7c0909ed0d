import { networks } from '@agio/core'
import { parseArgs } from 'node:util'

const line = 'pnpm contracts:deploy --network <name> [--dollars-per-side 1000000]'

/** The usage of `pnpm contracts:deploy`. */
export const deployUsage = `${line}

Deploys tokens, oracles, pools, router, faucet and reader to a test network, and writes its deployment file.
Options:
  --network <name>           ${networks.map(({ slug }) => slug).join(' or ')}
  --dollars-per-side <n>     the initial value of each side of each pool, default 1000000
Environment variables:
  RPC_URL_<chain>   the node of the network (${networks.map(({ chainId }) => chainId).join(' or ')})
  DEPLOYER_KEY      the private key that deploys, pays and owns the contracts
  DEPLOYMENTS_DIR   the folder of the deployment file, default deployments`

/** Reads the command line of a deployment. @throws `Error` with the usage */
export function readDeployOptions(args: readonly string[]): readDeployOptions.Result {
  const { network, 'dollars-per-side': dollars } = parse(args)
  if (!network) throw new Error(`Cannot deploy: --network is missing. Usage: ${line}`)
  if (dollars === undefined) return { network }
  if (/^[1-9]\d{0,11}$/.test(dollars)) return { network, dollarsPerSide: Number(dollars) }
  throw new Error(`Cannot deploy: '${dollars}' is not a number of whole dollars. Usage: ${line}`)
}

export declare namespace readDeployOptions {
  type Result = { readonly network: string; readonly dollarsPerSide?: number }
}

function parse(args: readonly string[]) {
  try {
    const options = { network: { type: 'string' }, 'dollars-per-side': { type: 'string' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (cause) {
    throw new Error(`Cannot deploy: ${(cause as Error).message}. Usage: ${line}`, { cause })
  }
}
