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
      async (options) => await agio.quote(request, options),
    ),

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

  /** A transaction. The service recognises a replacement or a reorganisation by the cursor of the last read. */
  transaction: (agio: Agio, { chainId, transactionHash }: TransactionInput) => {
    const cursors = getCursors(agio)
    const query = toQuery<TrackedTransaction>(['transaction', chainId, transactionHash], 2000, async (options) => {
      const cursor = cursors.get(transactionHash)
      const tracked = await agio.api.transaction.track.query({ chainId, transactionHash, cursor }, options)
      if (tracked.cursor !== undefined) cursors.set(transactionHash, tracked.cursor)
      return tracked
    })
    return { ...query, refetchInterval: toTrackingMs }
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
function toTrackingMs({ state: { data } }: { readonly state: { readonly data?: TrackedTransaction | undefined } }) {
  const { confirmations, status } = data ?? {}
  if (status === undefined || status === 'pending' || status === 'reorged') return 2000
  if (!confirmations) return 15_000
  return Math.min(15_000, Math.max(2000, (confirmations.required - confirmations.count) * 400))
}

/** Creates a query. */
export function toQuery<Data>(
  key: readonly unknown[],
  refetchInterval: number,
  queryFn: Query<Data>['queryFn'],
): Query<Data> {
  return { queryKey: ['agio', ...key], queryFn, refetchInterval, retry: false }
}

/** Returns the time after which a quote is renewed: ten seconds before it expires, or at half of a short validity. */
function toRenewalMs(seconds = validForSeconds): number {
  return Math.max(seconds - 10, seconds / 2) * 1000
}
