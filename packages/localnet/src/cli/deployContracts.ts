import { Network, type Address } from '@agio/core'
import { parseSettings } from '@agio/server/cli'
import { join } from 'node:path'
import { getAddress, isAddress, toFunctionSelector, zeroAddress, type Hex } from 'viem'
import { deployToNetwork } from '../deployment/deployToNetwork.ts'
import { checkout } from '../assets/assets.ts'
import { deploySettings, networkNames } from './deploySettings.ts'
import { formatTable } from './formatTable.ts'

/**
 * Deploys the contracts of the local chains to a test network, and writes its deployment file.
 *
 * @returns the text to print
 * @throws `Error` for an invalid option, and for missing variables
 */
export async function deployContracts(
  options: deployContracts.Options,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const parsed = parseDeployOptions(options)
  const { texts } = parseSettings(deploySettings, environment, 'deploy')
  const deploymentsDir = texts['DEPLOYMENTS_DIR'] ?? join(checkout ?? '', 'deployments')
  const credentials = getCredentials(parsed.chainId, texts)
  const { path, pending } = await deployToNetwork({
    ...parsed,
    ...credentials,
    deploymentsDir,
    onProgress: console.log,
  })
  return [`Wrote ${path}`, ...formatPending(pending, parsed.owner)].join('\n')
}

export declare namespace deployContracts {
  /** The options of the command line, as text. */
  type Options = {
    readonly network: string
    readonly dollarsPerSide?: string | undefined
    /** `0x…,feed=0x…` or `0x…,price=1.08`, for each token that exists. */
    readonly token?: readonly string[] | undefined
    readonly referenceToken?: string | undefined
    /** `0x…=20`, for each token. */
    readonly deposit?: readonly string[] | undefined
    readonly priceSource?: string | undefined
    readonly owner?: string | undefined
    readonly guardian?: string | undefined
    readonly sequencerFeed?: string | undefined
    readonly referenceFeed?: string | undefined
  }
}

/** Parses the options of a deployment. @throws `Error` that names the option */
export function parseDeployOptions({ network: name, ...options }: deployContracts.Options): parseDeployOptions.Result {
  const network = Network.all.find(({ slug }) => slug === name)
  if (!network) throw new Error(`Cannot deploy to '${name}': the test networks are ${networkNames}`)
  return {
    chainId: network.chainId,
    dollarsPerSide: parseDollars(options.dollarsPerSide),
    existing: parseExisting(options),
    owner: toAddress('owner', options.owner),
    guardian: toAddress('guardian', options.guardian),
    sequencerFeed: toAddress('sequencer-feed', options.sequencerFeed),
    referenceFeed: toAddress('reference-feed', options.referenceFeed),
  }
}

export declare namespace parseDeployOptions {
  type Result = {
    readonly chainId: Network.ChainId
    readonly dollarsPerSide: number | undefined
    readonly existing: deployToNetwork.Options['existing']
    readonly owner: Address | undefined
    readonly guardian: Address | undefined
    readonly sequencerFeed: Address | undefined
    readonly referenceFeed: Address | undefined
  }
}

/** Parses the tokens that exist; undefined without any. @throws `Error` that names the option */
function parseExisting(options: Omit<deployContracts.Options, 'network'>): deployToNetwork.Options['existing'] {
  const { token: tokens = [], deposit: deposits = [], priceSource } = options
  const referenceToken = toAddress('reference-token', options.referenceToken)
  if (tokens.length === 0 && referenceToken === undefined) return undefined
  if (tokens.length === 0 || referenceToken === undefined)
    throw new Error('Cannot deploy: pass --reference-token and at least one --token')
  const amounts = new Map(
    deposits.map((text) => {
      const [address = '', amount = ''] = text.split('=')
      return [toAddress('deposit', address), amount] as const
    }),
  )
  const parse = (text: string) => {
    const [first, source = ''] = text.split(',')
    const address = toAddress('token', first) ?? zeroAddress
    const [kind, value = ''] = source.split('=')
    const deposit = amounts.get(address)
    if (deposit === undefined) throw new Error(`Cannot deploy: pass --deposit ${address}=<amount>`)
    if (kind === 'feed') return { address, deposit, feed: toAddress('token', value) }
    if (kind === 'price' && priceSource === 'owner') return { address, deposit, price: value }
    throw new Error(
      `Cannot deploy: --token ${address} needs ,feed=<address>, or ,price=<dollars> with --price-source owner`,
    )
  }
  return { referenceToken, tokens: tokens.map(parse) }
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

function parseDollars(dollars: string | undefined): number | undefined {
  if (dollars === undefined) return undefined
  if (/^[1-9]\d{0,11}$/.test(dollars)) return Number(dollars)
  throw new Error(`Cannot deploy: '${dollars}' is not a number of whole dollars`)
}

function toAddress(option: string, address: string | undefined): Address | undefined {
  if (address === undefined) return undefined
  if (isAddress(address) && address !== zeroAddress) return getAddress(address)
  throw new Error(`Cannot deploy: --${option} is not an address with a valid checksum`)
}
