import { Network, type Address } from '@agio/core'
import { defineSettings, formatHelp, formatTable, serviceSettings } from '@agio/server/cli'
import { parseArgs } from 'node:util'
import { getAddress, isAddress, toFunctionSelector, zeroAddress } from 'viem'
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
    schema: z.string().regex(/^0x[\da-f]{64}$/i, 'must be a private key: 0x and 64 hexadecimal digits'),
    group: 'chains',
    help: 'Private key that deploys and pays. It owns the contracts unless --owner hands them over',
    secret: true,
  },
  deploymentsDir: { ...serviceSettings.deploymentsDir, help: 'Folder of the deployment file' },
})

const synopsis =
  'pnpm contracts:deploy --network <name> [--dollars-per-side 1000000] [--owner <address>] [--guardian <address>]'

/** The usage of `pnpm contracts:deploy`. */
export const deployUsage = `${synopsis}

Deploys tokens, oracles, pools, router, faucet and reader to a test network, and writes its deployment file.
Options:
  --network <name>           ${Network.all.map(({ slug }) => slug).join(' or ')}
  --dollars-per-side <n>     the initial value of each side of each pool, default 1000000
  --owner <address>          hands every contract over to this account, for example a multisig. Default: the deployer
  --guardian <address>       this account may also freeze the pools, and may not unfreeze them. Default: none

Environment variables:
${formatHelp(deploySettings)}`

/**
 * Parses the command line of a deployment. Errors never contain an argument that may be a key.
 *
 * @throws `Error` with the usage
 */
export function parseDeployOptions(args: readonly string[]): parseDeployOptions.Result {
  const { network, 'dollars-per-side': dollars, owner, guardian } = parse(args)
  if (!network) throw new Error(`Cannot deploy: --network is missing. Usage: ${synopsis}`)
  return { network, ...parseDollars(dollars), ...parseAccount('owner', owner), ...parseAccount('guardian', guardian) }
}

export declare namespace parseDeployOptions {
  type Result = {
    readonly network: string
    readonly dollarsPerSide?: number
    readonly owner?: Address
    readonly guardian?: Address
  }
}

/** Formats the calls by which the new owner accepts the contracts. */
export function formatPending(pending: readonly Pending[], owner: Address | undefined): readonly string[] {
  if (pending.length === 0) return []
  const rows = pending.map(({ name, address }) => [`  ${name}`, address, 'acceptOwnership()', acceptOwnershipData])
  return [
    `${owner} does not own ${pending.length} contracts yet. It must send each of these calls:`,
    formatTable([['  Contract', 'To', 'Function', 'Data'], ...rows]),
  ]
}

type Pending = { readonly name: string; readonly address: Address }

const acceptOwnershipData = toFunctionSelector('acceptOwnership()')

function parse(args: readonly string[]) {
  if (args.some(mayContainKey)) {
    throw new Error(
      'Cannot deploy: a private key on the command line is visible to other processes and stays in the history of the shell. Set DEPLOYER_KEY_FILE or DEPLOYER_KEY instead, and replace this key',
    )
  }
  const text = { type: 'string' } as const
  try {
    const options = { network: text, 'dollars-per-side': text, owner: text, guardian: text }
    return parseArgs({ args: [...args], options }).values
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const isPositional = code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
    const reason = isPositional ? 'every argument must follow the name of an option' : message
    throw new Error(`Cannot deploy: ${reason}. Usage: ${synopsis}`, { cause })
  }
}

/** Returns whether an argument contains 32 bytes in hexadecimal, or is an option or an assignment named after a key. */
function mayContainKey(argument: string): boolean {
  return /[\da-f]{64}/i.test(argument) || /^[\w-]*key(=|$)/i.test(argument)
}

function parseDollars(dollars: string | undefined): Pick<parseDeployOptions.Result, 'dollarsPerSide'> {
  if (dollars === undefined) return {}
  if (/^[1-9]\d{0,11}$/.test(dollars)) return { dollarsPerSide: Number(dollars) }
  throw new Error(`Cannot deploy: '${dollars}' is not a number of whole dollars. Usage: ${synopsis}`)
}

function parseAccount<const Name extends string>(
  name: Name,
  account: string | undefined,
): Partial<Record<Name, Address>> {
  if (account === undefined) return {}
  if (isAddress(account) && account !== zeroAddress) return { [name]: getAddress(account) } as Record<Name, Address>
  throw new Error(`Cannot deploy: --${name} is not an address with a valid checksum. Usage: ${synopsis}`)
}
