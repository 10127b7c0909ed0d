import { toOutlook } from '@agio/react/internal'
import type { Step } from '@agio/sdk'
import type { PageConversion } from '../convert/conversions/conversions.ts'
import { toBadge } from '../convert/conversions/toBadge.ts'
import type { BrowserStorage } from '../storage/browserStorage.ts'

/** The filters of the list, each with its label. */
export const filters = { all: 'All states', open: 'Unfinished', done: 'Done', failed: 'Failed' } as const

/** A filter of the list. */
export type Filter = keyof typeof filters

/** Returns whether a filter lists a conversion. */
export function isListed(conversion: PageConversion, filter: Filter): boolean {
  const { kind } = toOutlook(conversion)
  return filter === 'all' || (kind === 'done' || kind === 'failed' ? kind : 'open') === filter
}

/** Returns the hash of the transaction of a conversion, or undefined while it has none. */
export function findHash({ steps }: Pick<PageConversion, 'steps'>): `0x${string}` | undefined {
  const step = steps.at(-1)
  return step?.kind === 'confirm' ? step.transactionHash : undefined
}

/** Returns the conversions as a table of texts with a header. Times are in ISO 8601, and missing values are empty. */
export function toActivityRows(conversions: readonly PageConversion[]): readonly (readonly string[])[] {
  const header = ['Time', 'Chain id', 'Paid', 'Token', 'Received', 'Token', 'State', 'Transaction', 'Account', 'Id']
  return [header, ...conversions.map(toRow)]
}

function toRow(conversion: PageConversion): readonly string[] {
  const { id, quote, steps } = conversion
  const outlook = toOutlook(conversion)
  const step = steps.at(-1)
  const { amountIn, amountOut } = outlook.kind === 'done' ? outlook.receipt : {}
  const amounts = [amountIn ?? '', quote.tokenIn.symbol, amountOut ?? '', quote.tokenOut.symbol]
  const { text } = toBadge(outlook)
  return [
    step?.at ?? '',
    String(quote.chainId),
    ...amounts,
    text,
    findHash(conversion) ?? '',
    step?.state.account ?? '',
    id,
  ]
}

// The newest step of each conversion is stored under this prefix and its id.
const prefix = 'agio.conversion.'

/** A stored conversion that has a transaction. */
export type StoredConversion = {
  readonly transactionHash: `0x${string}`
  readonly chainId: number
  /** Time of its newest step, ISO 8601. */
  readonly at: string
  /** The quote: its text for the service, and its amounts. */
  readonly quote: Step['state']['quote']
}

/** Lists the stored conversions that have a transaction, newest first. */
export function listStoredConversions(storage: ReadableStorage): readonly StoredConversion[] {
  return storage
    .listNames()
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => parseStored(storage.getItem(name) ?? '') ?? [])
    .toSorted((left, right) => right.at.localeCompare(left.at))
}

/** The required part of a storage. */
export type ReadableStorage = Pick<BrowserStorage, 'listNames' | 'getItem'>

/** Returns the quote of a transaction that was sent in this browser, or undefined. */
export function findStoredQuote(storage: ReadableStorage, transactionHash: string): string | undefined {
  return listStoredConversions(storage).find((stored) => stored.transactionHash === transactionHash)?.quote.quote
}

/** Parses a stored conversion. Returns undefined for an invalid value, for example from another version of the page. */
function parseStored(text: string): StoredConversion | undefined {
  try {
    const { kind, at, state, ...step } = JSON.parse(text) as Step
    const isOfConversion = kind === 'convert' || kind === 'confirm' || kind === 'batch'
    const hash = isOfConversion ? step.transactionHash : undefined
    const { quote } = state
    const texts = [hash, at, quote.quote, quote.amountIn, quote.amountOut, quote.tokenIn.symbol, quote.tokenOut.symbol]
    if (hash === undefined || !texts.every((text) => typeof text === 'string')) return undefined
    return { transactionHash: hash, chainId: state.chainId, at, quote }
  } catch {
    return undefined
  }
}
