import type { ChainId } from '../api/schemas.ts'
import { clientError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'
import type { AgioQuoteData } from './AgioQuote.ts'
import { assertEqual, mismatch } from './mismatch.ts'

/**
 * The contracts and tokens that an application trusts, by chain id. The content of a deployment file can be passed as it
 * is.
 *
 * @example
 * const contracts: PinnedContracts = { 84532: { router: '0x…', factory: '0x…' } }
 */
export type PinnedContracts = { readonly [Id in ChainId]?: ChainContracts | undefined }

/** The contracts and tokens that an application trusts on one chain. Addresses in any letter case. */
export type ChainContracts = {
  readonly router: string
  /** The registry of the router. Pools that it returns may be paid directly. */
  readonly factory?: string | undefined
  /** Pools that may be paid directly. */
  readonly pools?: readonly string[] | undefined
  /** Decimals by token address. Other tokens are refused. Without it, all tokens are accepted. */
  readonly tokens?: Readonly<Record<string, number>> | undefined
}

/** The trusted contracts of one chain. All addresses are in lower case. */
export type Pins = {
  readonly router: string
  readonly factory: string | undefined
  readonly pools: ReadonlySet<string>
  /** Decimals by token. Undefined if all tokens are accepted. */
  readonly tokens: ReadonlyMap<string, number> | undefined
}

/** The trusted contracts by chain id, or `service` if the contracts of every quote are trusted. */
export type Contracts = ReadonlyMap<number, Pins> | 'service'

/** Parses the option `contracts`. @throws TypeError that names the invalid field */
export function parseContracts(contracts: PinnedContracts | 'service' | undefined): Contracts {
  if (contracts === 'service') return contracts
  const chains = Object.entries(assertObject('contracts', contracts ?? {})).filter(([, chain]) => chain !== undefined)
  return new Map(chains.map(([key, chain]) => [parseChainId(key), parsePins(key, chain)]))
}

function parseChainId(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new TypeError(`Cannot use contracts.${text}: its keys are chain ids. Pass { [chainId]: deployment }`)
}

function parsePins(key: string, value: unknown): Pins {
  const path = `contracts.${key}`
  const { chainId, router, factory, pools = [], tokens } = assertObject(path, value)
  if (chainId !== undefined && chainId !== Number(key)) throw invalid(path, `a deployment to chain ${key}`)
  if (!Array.isArray(pools)) throw invalid(`${path}.pools`, 'an array of addresses')
  return {
    router: parseAddress(`${path}.router`, router),
    factory: factory === undefined ? undefined : parseAddress(`${path}.factory`, factory),
    pools: new Set(pools.map((pool, index) => parseAddress(`${path}.pools.${index}`, pool))),
    tokens: tokens === undefined ? undefined : parseTokens(`${path}.tokens`, tokens),
  }
}

function parseTokens(path: string, value: unknown): ReadonlyMap<string, number> {
  const entries = Object.entries(assertObject(path, value))
  return new Map(
    entries.map(([token, decimals]) => [parseAddress(path, token), parseDecimals(`${path}.${token}`, decimals)]),
  )
}

function parseDecimals(path: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255) return value
  throw invalid(path, 'the decimals of a token')
}

function parseAddress(path: string, value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase()
  throw invalid(path, 'an address')
}

function assertObject(path: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value) && !Array.isArray(value)) return value
  throw invalid(path, 'an object')
}

function invalid(path: string, expected: string): TypeError {
  return new TypeError(`Cannot use ${path}: it is not ${expected}`)
}

/** Returns the trusted contracts of a chain, or undefined if the contracts of every quote are trusted. */
export function getPins(contracts: Contracts, chainId: number): Pins | undefined {
  if (contracts === 'service') return undefined
  const pins = contracts.get(chainId)
  if (pins) return pins
  const message = `Cannot convert on chain ${chainId}: createAgio has no contracts for it. Pass contracts: { ${chainId}: { router, factory } }`
  throw clientError('convert/unpinned-contracts', message, { chainId })
}

/**
 * Asserts that the trusted contracts allow a quote, as far as that is known without the chain. On a chain without trusted
 * contracts, every quote is allowed.
 *
 * @throws `convert/mismatch` with `spender`, `tokenIn`, `tokenOut` or their decimals
 */
export function checkPins(contracts: Contracts, quote: AgioQuoteData): void {
  const pins = contracts === 'service' ? undefined : contracts.get(quote.chainId)
  if (!pins) return
  checkToken(pins, quote, 'tokenIn')
  checkToken(pins, quote, 'tokenOut')
  if (isTrusted(pins, quote.spender) || mayBeRegistered(pins, quote)) return
  throw mismatch('spender', { expected: `the router ${pins.router} or a trusted pool`, actual: quote.spender })
}

/** Returns whether a spender is the trusted router or a trusted pool. */
export function isTrusted({ router, pools }: Pins, spender: string): boolean {
  return spender.toLowerCase() === router || pools.has(spender.toLowerCase())
}

/** Returns whether the spender may be a pool of the trusted registry. Only the chain can confirm it. */
function mayBeRegistered({ factory }: Pins, { spender, route }: AgioQuoteData): boolean {
  return factory !== undefined && route.length === 1 && route[0]?.address.toLowerCase() === spender.toLowerCase()
}

function checkToken({ tokens }: Pins, quote: AgioQuoteData, field: 'tokenIn' | 'tokenOut'): void {
  if (!tokens) return
  const { address, decimals } = quote[field]
  const trusted = tokens.get(address.toLowerCase())
  if (trusted === undefined) throw mismatch(field, { expected: 'a token of `contracts`', actual: address })
  assertEqual(`${field}.decimals`, `${trusted}`, decimals)
}
