import { Network, type Address } from '@agio/core'
import { defineSettings, formatHelp, formatTable, serviceSettings } from '@agio/server/cli'
import { parseArgs } from 'node:util'
import { getAddress, isAddress, toFunctionSelector, zeroAddress, type Hex } from 'viem'
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

const networkNames = Network.all.map(({ slug }) => slug).join(', ')

const synopsis = 'pnpm contracts:deploy --network <name> [options]'

/** The usage of `pnpm contracts:deploy`. */
export const deployUsage = `${synopsis}

Deploys tokens, oracles, pools, router, faucet and reader to a test network, and writes its deployment file.
Options:
  --network <name>           ${networkNames}
  --dollars-per-side <n>     the initial value of each side of each pool, default 1000000
  --owner <address>          hands every contract over to this account, for example a multisig. Default: the deployer
  --guardian <address>       this account may also freeze the pools, and may not unfreeze them. Default: none
  --sequencer-feed <address> no price counts while this uptime feed reports that the sequencer is down. Default: none
  --reference-feed <address> no price counts while this feed reports that the dollar token lost its peg. Default: none

Environment variables:
${formatHelp(deploySettings)}`

/**
 * Parses the command line of a deployment. Errors never contain an argument that may be a key.
 *
 * @throws `Error` with the usage
 */
export function parseDeployOptions(args: readonly string[]): parseDeployOptions.Result {
  const { network: name, 'dollars-per-side': dollars, ...addresses } = parse(args)
  if (!name) throw new Error(`Cannot deploy: --network is missing. Usage: ${synopsis}`)
  const network = Network.all.find(({ slug }) => slug === name)
  if (!network) throw new Error(`Cannot deploy to '${name}': the test networks are ${networkNames}. Usage: ${synopsis}`)
  const parseAddress = (name: keyof typeof addresses) => toAddress(name, addresses[name])
  return {
    chainId: network.chainId,
    dollarsPerSide: parseDollars(dollars),
    owner: parseAddress('owner'),
    guardian: parseAddress('guardian'),
    sequencerFeed: parseAddress('sequencer-feed'),
    referenceFeed: parseAddress('reference-feed'),
  }
}

export declare namespace parseDeployOptions {
  type Result = {
    readonly chainId: Network.ChainId
    readonly dollarsPerSide: number | undefined
    readonly owner: Address | undefined
    readonly guardian: Address | undefined
    readonly sequencerFeed: Address | undefined
    readonly referenceFeed: Address | undefined
  }
}

/**
 * Returns the node and the key for a deployment to a chain. `RPC_URL_<chainId>` may list several nodes, in order of
 * preference: the first one is used.
 *
 * @param texts the settings by variable
 * @throws `Error` that names every missing variable
 */
export function getCredentials(
  chainId: Network.ChainId,
  texts: Readonly<Record<string, string | undefined>>,
): getCredentials.Result {
  const variables = [`RPC_URL_${chainId}`, 'DEPLOYER_KEY']
  const missing = variables.filter((name) => !texts[name])
  if (missing.length > 0)
    throw new Error(`Cannot deploy to chain ${chainId}: set ${missing.join(' and ')} in the environment`)
  const [rpcUrls = '', deployerKey = ''] = variables.map((name) => texts[name])
  const [rpcUrl = ''] = rpcUrls.split(',')
  return { rpcUrl: rpcUrl.trim(), deployerKey: deployerKey as Hex }
}

export declare namespace getCredentials {
  type Result = { readonly rpcUrl: string; readonly deployerKey: Hex }
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

const text = { type: 'string' } as const
const addressOptions = { owner: text, guardian: text, 'sequencer-feed': text, 'reference-feed': text }

function parse(args: readonly string[]) {
  if (args.some(mayContainKey)) {
    throw new Error(
      'Cannot deploy: a private key on the command line is visible to other processes and stays in the history of the shell. Set DEPLOYER_KEY_FILE or DEPLOYER_KEY instead, and replace this key',
    )
  }
  try {
    const options = { network: text, 'dollars-per-side': text, ...addressOptions }
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

function parseDollars(dollars: string | undefined): number | undefined {
  if (dollars === undefined) return undefined
  if (/^[1-9]\d{0,11}$/.test(dollars)) return Number(dollars)
  throw new Error(`Cannot deploy: '${dollars}' is not a number of whole dollars. Usage: ${synopsis}`)
}

function toAddress(option: string, address: string | undefined): Address | undefined {
  if (address === undefined) return undefined
  if (isAddress(address) && address !== zeroAddress) return getAddress(address)
  throw new Error(`Cannot deploy: --${option} is not an address with a valid checksum. Usage: ${synopsis}`)
}
