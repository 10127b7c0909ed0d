import type { Step } from '@agio/sdk'
import type { BrowserStorage } from '../storage/browserStorage.ts'

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
