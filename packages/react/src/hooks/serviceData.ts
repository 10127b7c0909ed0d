import type { Chain, MarketHoursList, NamedToken, OraclePrices, PoolList, TrackedTransaction } from '@agio/sdk'
import { useMemo } from 'react'
import type { PollState } from '../poll/Poll.ts'
import { queries, type ChainInput, type PageInput, type TransactionInput } from '../poll/queries.ts'
import { toFinality, type Finality } from '../conversion/toFinality.ts'
import { useLivePoll, type LiveOptions } from './useLivePoll.ts'
import { usePoll, type Polled } from './usePoll.ts'
import { useAgio } from '../provider/AgioProvider.tsx'

/**
 * Returns a network with its tokens. It is read until it has tokens, which change rarely after that.
 *
 * @example
 * const { data: chain } = useChain({ chainId: 84532 })
 */
export function useChain({ chainId }: ChainInput): PollState<Chain> {
  const { data, ...state } = usePoll(queries.chains(useAgio().reader))
  return { ...state, data: data?.find((chain) => chain.chainId === chainId) }
}

/**
 * Returns the tokens of a network, an empty list until they are known.
 *
 * @example
 * const tokens = useTokens({ chainId: 84532 })
 */
export function useTokens(input: ChainInput): readonly NamedToken[] {
  return useChain(input).data?.tokens ?? noTokens
}

const noTokens: readonly NamedToken[] = []

/**
 * Returns the oracle prices of a network, read every 15 seconds or from a stream.
 *
 * @example
 * const { data } = usePrices({ chainId: 84532 })
 */
export function usePrices(
  input: ChainInput,
  { isLive = false, isPaused = false }: LiveOptions = {},
): Polled<OraclePrices> {
  const { reader } = useAgio()
  const query = queries.prices(reader, input)
  return useLivePoll(
    isPaused ? { ...query, refetchInterval: Infinity } : query,
    isLive && !isPaused ? (options) => reader.watchPrices(input, options) : undefined,
  )
}

/**
 * Returns a page of a network's pools, read every 30 seconds.
 *
 * @example
 * const { data } = usePools({ chainId: 84532, page: 1 })
 */
export function usePools(input: PageInput): Polled<PoolList> {
  return usePoll(queries.pools(useAgio().reader, input))
}

/**
 * Returns whether the markets of a network's pools are open, and when that changes.
 *
 * @example
 * const { data } = useMarketHours({ chainId: 84532 })
 */
export function useMarketHours(input: ChainInput): Polled<MarketHoursList> {
  return usePoll(queries.marketHours(useAgio().reader, input))
}

/**
 * Follows a transaction until it is final, replaced for good or dropped. A transaction in a block that the chain has removed
 * is `reorged` and followed further.
 *
 * @param input undefined to follow nothing
 *
 * @example
 * const { data, isFinal } = useTransaction({ chainId: 84532, transactionHash })
 */
export function useTransaction(input: TransactionInput | undefined): Polled<TrackedTransaction> & {
  /** Whether nothing about the transaction can change. */
  readonly isFinal: boolean
  /** How final the receipt of a transaction is that had succeeded. Undefined until the transaction was read. */
  readonly finality: Finality | undefined
} {
  const { reader } = useAgio()
  const { chainId, transactionHash } = input ?? {}
  const query = useMemo(
    () => (chainId && transactionHash ? queries.transaction(reader, { chainId, transactionHash }) : undefined),
    [reader, chainId, transactionHash],
  )
  const polled = usePoll(query, isLast)
  const { data } = polled
  return { ...polled, isFinal: data !== undefined && isLast(data), finality: data && toFinality(data) }
}

function isLast({ status, finality, replacement }: TrackedTransaction): boolean {
  if (status === 'replaced') return replacement === undefined || replacement.finality === 'finalized'
  return status === 'dropped' || status === 'finalized' || finality === 'finalized'
}
