import type { MarketHoursList, NamedToken, OraclePrices, PoolList, TrackedTransaction } from '@agio/sdk'
import { useMemo } from 'react'
import { queries, type ChainInput, type PageInput, type TransactionInput } from '../poll/queries.ts'
import { toFinality, type Finality } from '../conversion/toFinality.ts'
import { usePoll, type Polled } from './usePoll.ts'
import { useAgio } from '../provider/AgioProvider.tsx'

/**
 * Returns the tokens of a network, an empty list until they are known.
 *
 * @example
 * const tokens = useTokens({ chainId: 84532 })
 */
export function useTokens({ chainId }: ChainInput): readonly NamedToken[] {
  const { agio } = useAgio()
  const { data } = usePoll(queries.chains(agio))
  return useMemo(() => data?.find((chain) => chain.chainId === chainId)?.tokens ?? [], [data, chainId])
}

/**
 * Returns the oracle prices of a network, read every 15 seconds.
 *
 * @example
 * const { data } = usePrices({ chainId: 84532 })
 */
export function usePrices(input: ChainInput): Polled<OraclePrices> {
  return usePoll(queries.prices(useAgio().agio, input))
}

/**
 * Returns a page of a network's pools, read every 30 seconds.
 *
 * @example
 * const { data } = usePools({ chainId: 84532, page: 1 })
 */
export function usePools(input: PageInput): Polled<PoolList> {
  return usePoll(queries.pools(useAgio().agio, input))
}

/**
 * Returns whether the markets of a network's pools are open, and when that changes.
 *
 * @example
 * const { data } = useMarketHours({ chainId: 84532 })
 */
export function useMarketHours(input: ChainInput): Polled<MarketHoursList> {
  return usePoll(queries.marketHours(useAgio().agio, input))
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
  const { agio } = useAgio()
  const { chainId, transactionHash } = input ?? {}
  const query = useMemo(
    () => (chainId && transactionHash ? queries.transaction(agio, { chainId, transactionHash }) : undefined),
    [agio, chainId, transactionHash],
  )
  const polled = usePoll(query, isLast)
  const { data } = polled
  return { ...polled, isFinal: data !== undefined && isLast(data), finality: data && toFinality(data) }
}

function isLast({ status, finality, replacement }: TrackedTransaction): boolean {
  if (status === 'replaced') return replacement === undefined || replacement.finality === 'finalized'
  return status === 'dropped' || status === 'finalized' || finality === 'finalized'
}
