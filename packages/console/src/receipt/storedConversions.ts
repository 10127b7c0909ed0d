import type { Step } from '@agio/sdk'
import type { BrowserStorage } from '../storage/browserStorage.ts'

// Each conversion of this browser is stored under this name and its id, as its newest step.
const prefix = 'agio.conversion.'

/** A conversion of this browser that has a transaction. */
export type StoredConversion = {
  readonly transactionHash: `0x${string}`
  readonly chainId: number
  /** Time of its newest step, ISO 8601. */
  readonly at: string
  /** What was quoted: the text for the service, and the amounts. */
  readonly quote: Step['state']['quote']
}

/** Lists the conversions that are stored in this browser and have a transaction, the newest first. */
export function listStoredConversions(storage: ReadableStorage): readonly StoredConversion[] {
  return storage
    .listNames()
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => parseStored(storage.getItem(name) ?? '') ?? [])
    .toSorted((one, other) => other.at.localeCompare(one.at))
}

/** The part of the storage that is read. */
export type ReadableStorage = Pick<BrowserStorage, 'listNames' | 'getItem'>

/** Finds the quote that a transaction executed, if it was sent in this browser. */
export function findStoredQuote(storage: ReadableStorage, transactionHash: string): string | undefined {
  return listStoredConversions(storage).find((stored) => stored.transactionHash === transactionHash)?.quote.quote
}

/** Reads what is stored, which another version of the page may have written: what cannot be read is left out. */
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
