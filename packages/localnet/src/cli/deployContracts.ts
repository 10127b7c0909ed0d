import type { Address, Network } from '@agio/core'
import { toFunctionSelector } from 'viem'
import { deployToNetwork } from '../deployment/deployToNetwork.ts'
import { atNode, getCredentials, parseAddress, parseNetwork, readContractSettings } from './contractOptions.ts'
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
  const { texts, deploymentsDir } = readContractSettings(environment, 'deploy')
  const credentials = getCredentials(parsed.chainId, texts)
  const request = { ...parsed, ...credentials, deploymentsDir, onProgress: console.log }
  const { path, pending } = await atNode(parsed.chainId, () => deployToNetwork(request))
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
export function parseDeployOptions({ network: name, ...options }: deployContracts.Options): Result {
  return {
    chainId: parseNetwork(name).chainId,
    dollarsPerSide: parseDollars(options.dollarsPerSide),
    existing: parseExisting(options),
    owner: parseAddress('owner', options.owner),
    guardian: parseAddress('guardian', options.guardian),
    sequencerFeed: parseAddress('sequencer-feed', options.sequencerFeed),
    referenceFeed: parseAddress('reference-feed', options.referenceFeed),
  }
}

type Result = {
  readonly chainId: Network.ChainId
  readonly dollarsPerSide: number | undefined
  readonly existing: deployToNetwork.Options['existing']
  readonly owner: Address | undefined
  readonly guardian: Address | undefined
  readonly sequencerFeed: Address | undefined
  readonly referenceFeed: Address | undefined
}

/** Parses the tokens that exist; undefined without any. @throws `Error` that names the option */
function parseExisting(options: Omit<deployContracts.Options, 'network'>): deployToNetwork.Options['existing'] {
  const { token: tokens = [], deposit: deposits = [], priceSource } = options
  const referenceToken = parseAddress('reference-token', options.referenceToken)
  if (tokens.length === 0 && referenceToken === undefined) return undefined
  if (tokens.length === 0 || referenceToken === undefined)
    throw new Error('Cannot deploy: pass --reference-token and at least one --token')
  const amounts = new Map(
    deposits.map((text) => {
      const [address = '', amount = ''] = text.split('=')
      return [parseAddress('deposit', address), amount] as const
    }),
  )
  const parse = (text: string) => {
    const [first = '', source = ''] = text.split(',')
    const address = parseAddress('token', first)
    const [kind, value = ''] = source.split('=')
    const deposit = amounts.get(address)
    if (deposit === undefined) throw new Error(`Cannot deploy: pass --deposit ${address}=<amount>`)
    if (kind === 'feed') return { address, deposit, feed: parseAddress('token', value) }
    if (kind === 'price' && priceSource === 'owner') return { address, deposit, price: value }
    throw new Error(
      `Cannot deploy: --token ${address} needs ,feed=<address>, or ,price=<dollars> with --price-source owner`,
    )
  }
  return { referenceToken, tokens: tokens.map(parse) }
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
