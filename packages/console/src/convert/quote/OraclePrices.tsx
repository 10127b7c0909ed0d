import { Decimal } from '@agio/react/internal'
import type { OraclePrices as Prices } from '@agio/sdk'
import { Amount } from '../../amount/Amount.tsx'
import styles from './OraclePrices.module.css'
import { Age } from '../../time/Age.tsx'
import { Badge } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Panel.tsx'

/** Shows the oracle prices of some tokens with their ages. The reference token is left out, because its price is fixed. */
export function OraclePrices({ data, symbols }: OraclePrices.Props) {
  const prices = symbols.flatMap((symbol) => {
    const price = symbol === undefined ? undefined : data?.prices[symbol]
    return price && price.maxAgeSeconds !== null ? [{ symbol, ...price }] : []
  })
  if (prices.length === 0) return <Skeleton width="9rem" label="Loading the prices" />
  return (
    <ul className={styles['prices']}>
      {prices.map(({ symbol, usd, lastUpdate, stale }) => (
        <li key={symbol}>
          <span>
            1 {symbol} = $<Amount value={Decimal.trim(usd)} />
          </span>
          {stale ? <Badge tone="warning">not accepted</Badge> : <span className={styles['age']}>·</span>}
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
    readonly data: Prices | undefined
    readonly symbols: readonly (string | undefined)[]
  }
}
