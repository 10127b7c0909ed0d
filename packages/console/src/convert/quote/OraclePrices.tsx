import type { ChainId } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Amount } from '../../amount/Amount.tsx'
import * as Decimal from '../../amount/Decimal.ts'
import { findAgioError } from '../../service/findAgioError.ts'
import { trpc } from '../../service/trpc.ts'
import { Age } from '../../time/Age.tsx'
import { Badge } from '../../ui/Badge.tsx'
import styles from './OraclePrices.module.css'

// A new quote refreshes the prices, unless they are newer than this.
const freshMs = 30_000

/**
 * Shows the oracle prices of some tokens with their ages. The reference token is left out, because its price is fixed.
 */
export function OraclePrices({ chainId, symbols, quote, failed }: OraclePrices.Props) {
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...trpc.oracle.prices.queryOptions({ chainId }),
    staleTime: freshMs,
    refetchOnWindowFocus: false,
  })
  const code = findAgioError(failed)?.code
  const readAt = useRef(dataUpdatedAt)
  useEffect(() => {
    readAt.current = dataUpdatedAt
  }, [dataUpdatedAt])
  useEffect(() => {
    if (quote !== undefined && Date.now() - readAt.current > freshMs) void refetch()
  }, [quote, refetch])
  useEffect(() => {
    if (code === 'svc/stale-price' || code === 'svc/reference-depegged') void refetch()
  }, [code, refetch])
  const prices = symbols.flatMap((symbol) => {
    const price = symbol === undefined ? undefined : data?.prices[symbol]
    return price && price.maxAgeSeconds !== null ? [{ symbol, ...price }] : []
  })
  if (prices.length === 0) return '—'
  return (
    <ul className={styles['prices']}>
      {prices.map(({ symbol, usd, lastUpdate, stale }) => (
        <li key={symbol}>
          <span>
            1 {symbol} = $<Amount value={Decimal.trim(usd)} />
          </span>
          {stale ? <Badge tone="warning">stale</Badge> : <span className={styles['age']}>·</span>}
          <span className={styles['age']}>
            <Age at={lastUpdate} />
          </span>
        </li>
      ))}
    </ul>
  )
}

export declare namespace OraclePrices {
  type Props = {
    readonly chainId: ChainId
    readonly symbols: readonly (string | undefined)[]
    /** Text of the newest quote. */
    readonly quote: string | undefined
    /** The error of the quote. A stale price refreshes the prices. */
    readonly failed: unknown
  }
}
