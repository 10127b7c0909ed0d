import type {
  Agio,
  AgioQuote,
  Chain,
  ChainId,
  MarketHoursList,
  OraclePrices,
  PoolList,
  QuoteRequest,
  TrackedTransaction,
} from '@agio/sdk'
import { findAgioError } from '../errors/findAgioError.ts'
import { validForSeconds } from '../quote/validity.ts'
import type { Query } from './Poll.ts'

/**
 * What the hooks read, as plain objects for TanStack Query. Each takes the client: `useAgio().agio`.
 *
 * @example
 * const { agio } = useAgio()
 * const { data } = useQuery(queries.pools(agio, { chainId: 84532 }))
 */
export const queries = {
  /** A quote, renewed before it expires. */
  quote: (agio: Agio, request: QuoteRequest) =>
    toQuery<AgioQuote>(
      ['quote', request],
      toRenewalMs(request.validForSeconds),
      async (options) => await requestQuote(agio, request, options),
    ),

  /** The networks with their tokens. */
  chains: (agio: Agio) =>
    toQuery<readonly Chain[]>(['chains'], toChainsMs, async (options) => {
      const { chains } = await agio.api.chains.list.query(undefined, options)
      return chains
    }),

  /** The oracle prices of a network. */
  prices: (agio: Agio, { chainId }: ChainInput) =>
    toQuery<OraclePrices>(
      ['prices', chainId],
      15_000,
      async (options) => await agio.api.oracle.prices.query({ chainId }, options),
    ),

  /** The pools of a network, a page of at most `limit`. */
  pools: (agio: Agio, { chainId, page = 1, limit = 20 }: PageInput) =>
    toQuery<PoolList>(
      ['pools', chainId, page, limit],
      30_000,
      async (options) => await agio.api.pools.list.query({ chainId, page, limit }, options),
    ),

  /** Whether the markets of the pools of a network are open, and when that changes. */
  marketHours: (agio: Agio, { chainId }: ChainInput) =>
    toQuery<MarketHoursList>(
      ['market-hours', chainId],
      60_000,
      async (options) => await agio.api.market.hours.query({ chainId }, options),
    ),

  /** A transaction. The service recognises a replacement or a reorganisation by the cursor of the last read. */
  transaction: (agio: Agio, { chainId, transactionHash }: TransactionInput) => {
    const cursors = getCursors(agio)
    return toQuery<TrackedTransaction>(['transaction', chainId, transactionHash], toTrackingMs, async (options) => {
      const cursor = cursors.get(transactionHash)
      const tracked = await agio.api.transaction.track.query({ chainId, transactionHash, cursor }, options)
      if (tracked.cursor !== undefined) cursors.set(transactionHash, tracked.cursor)
      return tracked
    })
  },
} as const

/** A network. */
export type ChainInput = { readonly chainId: ChainId }

/** A transaction of a network. */
export type TransactionInput = ChainInput & { readonly transactionHash: `0x${string}` }

/** A page of a network's pools, from 1. */
export type PageInput = ChainInput & { readonly page?: number | undefined; readonly limit?: number | undefined }

/** The newest cursors of a client, by transaction: components that follow the same one share them. */
const cursorsOf = new WeakMap<Agio, Map<string, string>>()

function getCursors(agio: Agio): Map<string, string> {
  const cursors = cursorsOf.get(agio) ?? new Map<string, string>()
  cursorsOf.set(agio, cursors)
  return cursors
}

/** Reads less often while many blocks are missing, because each read counts against the key. */
function toTrackingMs({ state: { data } }: Read<TrackedTransaction>) {
  const { confirmations, status } = data ?? {}
  if (status === undefined || status === 'pending' || status === 'reorged') return 2000
  if (!confirmations) return 15_000
  return Math.min(15_000, Math.max(2000, (confirmations.required - confirmations.count) * 400))
}

/** Waits for the first tokens of a new service, which change rarely after that. */
function toChainsMs({ state: { data = [] } }: Read<readonly Chain[]>): number {
  return data.every(({ tokens }) => tokens.length > 0) ? 600_000 : 20_000
}

type Read<Data> = { readonly state: { readonly data?: Data | undefined } }

/** Quotes a request. Where a route has no tolerance, the limit is the amount itself. */
async function requestQuote(agio: Agio, request: QuoteRequest, options: Parameters<Query<AgioQuote>['queryFn']>[0]) {
  try {
    return await agio.quote(request, options)
  } catch (error) {
    const agioError = findAgioError(error)
    if (agioError?.code !== 'svc/invalid-request' || agioError.details.field !== 'slippageBps') throw error
    return await agio.quote({ ...request, slippageBps: undefined }, options)
  }
}

/** Creates a query. */
export function toQuery<Data>(
  key: readonly unknown[],
  refetchInterval: Query<Data>['refetchInterval'],
  queryFn: Query<Data>['queryFn'],
): Query<Data> {
  return { queryKey: ['agio', ...key], queryFn, refetchInterval, retry: false }
}

/** Returns the time after which a quote is renewed: ten seconds before it expires, or at half of a short validity. */
function toRenewalMs(seconds = validForSeconds): number {
  return Math.max(seconds - 10, seconds / 2) * 1000
}
