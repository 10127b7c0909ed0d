import { Decimal, useNow } from '@agio/react/internal'
import type { PoolOracle } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import type { Halts } from './findHalts.ts'
import styles from './pools.module.css'
import { type PoolValue, valueDecimals } from './valuePool.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Age } from '../time/Age.tsx'
import { formatDuration } from '../time/formatDuration.ts'
import { Address } from '../ui/Address.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Fact, Facts } from '../ui/Facts.tsx'
import { classes } from '../ui/classes.ts'

/** Shows one token of a pool: its reserve and weight, its price, and its largest input. */
export function SidePanel({ index, oracle, value: { sides, totalRaw }, halts, network }: SidePanel.Props) {
  const { token, reserve, usd, valueRaw } = sides[index]
  const maxAmountIn = index === 0 ? halts?.maxAmountIn.token0 : halts?.maxAmountIn.token1
  return (
    <div className={styles['side']}>
      <h3 className={styles['title']}>
        <span className={classes(styles['swatch'], index === 1 && styles['sidePanelSecond'])} />
        {token.symbol}
        {oracle.stale && <Badge tone="warning">Price not accepted</Badge>}
      </h3>
      <Facts>
        <Fact name="Reserve">
          <Amount value={reserve} symbol={token.symbol} />
        </Fact>
        <Fact name="Value">
          <Amount value={Decimal.trim(Decimal.fromRaw(valueRaw, valueDecimals))} symbol="USD" maxDecimals={2} />
        </Fact>
        <Fact name="Share of the value">{Decimal.formatShare(valueRaw, totalRaw)}</Fact>
        <Fact name="Halts at a share of">{halts ? formatHalt(index, halts) : '–'}</Fact>
        <Fact name="Largest input">
          {maxAmountIn === undefined ? '–' : <Amount value={maxAmountIn} symbol={token.symbol} />}
        </Fact>
        <Fact name="Price">
          <Amount value={usd} symbol="USD" />
        </Fact>
        <PriceAge oracle={oracle} />
        <Fact name="Oracle">
          {oracle.address && (
            <Address
              value={oracle.address}
              label={`the address of the oracle of ${token.symbol}`}
              href={toExplorerUrl(network, 'address', oracle.address)}
            />
          )}
        </Fact>
      </Facts>
    </div>
  )
}

export declare namespace SidePanel {
  type Props = {
    /** Index of the token in the pool. */
    readonly index: 0 | 1
    readonly oracle: PoolOracle
    readonly value: PoolValue
    readonly halts: Halts | undefined
    readonly network: ServedNetwork
  }
}

/** Formats the share of a token at which the pool stops taking it. */
function formatHalt(index: 0 | 1, { low, high }: Halts): string {
  return index === 0 ? Decimal.formatShare(high.part, high.whole) : Decimal.formatShare(low.whole - low.part, low.whole)
}

function PriceAge({ oracle: { lastUpdate, maxAgeSeconds, stale } }: { readonly oracle: PoolOracle }) {
  const ageSeconds = (useNow() - Date.parse(lastUpdate)) / 1000
  if (maxAgeSeconds === null) return <Fact name="Age of the price">Fixed (reference dollar)</Fact>
  return (
    <Fact name={`Age of the price, at most ${formatDuration(maxAgeSeconds)}`}>
      <Age at={lastUpdate} />
      <span className={styles['track']} aria-hidden="true">
        <span
          className={classes(stale && styles['stale'])}
          style={{ width: `${Math.min(100, Math.max(0, (100 * ageSeconds) / maxAgeSeconds))}%` }}
        />
      </span>
    </Fact>
  )
}
