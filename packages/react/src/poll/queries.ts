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
import type { Query } from './Poll.ts'

/**
 * What the hooks read, as plain objects for TanStack Query. Each takes the client: `useAgio().agio`.
 *
 * @example
 * const { agio } = useAgio()
 * const { data } = useQuery(queries.pools(agio, { chainId: 84532 }))
 */
export const queries = {
  /** A quote, renewed every 50 seconds, before it expires. */
  quote: (agio: Agio, request: QuoteRequest) =>
    toQuery<AgioQuote>(['quote', request], 50_000, async (options) => await agio.quote(request, options)),

  /** The networks with their tokens. */
  chains: (agio: Agio) =>
    toQuery<readonly Chain[]>(['chains'], 60_000, async (options) => {
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
} as const

/** A network. */
export type ChainInput = { readonly chainId: ChainId }

/** A transaction of a network. */
export type TransactionInput = ChainInput & { readonly transactionHash: `0x${string}` }

/** A page of a network's pools, from 1. */
export type PageInput = ChainInput & { readonly page?: number | undefined; readonly limit?: number | undefined }

/** Creates the query of a transaction. It keeps the last cursor, with which the service recognises a replacement or a reorganisation. */
export function trackTransaction(
  agio: Agio,
  { chainId, transactionHash }: TransactionInput,
): Query<TrackedTransaction> {
  let cursor: string | undefined
  return toQuery(['transaction', chainId, transactionHash], 2000, async (options) => {
    const tracked = await agio.api.transaction.track.query({ chainId, transactionHash, cursor }, options)
    cursor = tracked.cursor ?? cursor
    return tracked
  })
}

/** Creates a query. */
export function toQuery<Data>(
  key: readonly unknown[],
  refetchInterval: number,
  queryFn: Query<Data>['queryFn'],
): Query<Data> {
  return { queryKey: ['agio', ...key], queryFn, refetchInterval, retry: false }
}
