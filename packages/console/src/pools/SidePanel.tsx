import { Decimal, useNow } from '@agio/react/internal'
import type { PoolOracle } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import { Plot } from '../plot/Plot.tsx'
import { toShare } from '../plot/scale.ts'
import { type Halts, type PoolValue, type Share, valueDecimals } from './Pool.ts'
import styles from './pools.module.css'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Age } from '../time/Age.tsx'
import { formatDuration } from '../time/formatDuration.ts'
import { Address } from '../ui/Address.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
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

// Lengths in rem.
const labelHeight = 1.5
const barHeight = 1.75
const haltHeight = 2

/** Draws the weights of a pool's two tokens as parts of one bar, with the halts that limit the border between them. */
export function WeightPlot({ value: { sides, totalRaw }, halts }: WeightPlot.Props) {
  const [first, second] = sides
  const [share0, share1] = [
    Decimal.formatShare(first.valueRaw, totalRaw),
    Decimal.formatShare(second.valueRaw, totalRaw),
  ]
  const limits = halts
    ? ` The halts are at ${Decimal.formatShare(halts.low.part, halts.low.whole)} and ${Decimal.formatShare(halts.high.part, halts.high.whole)} of ${first.token.symbol}.`
    : ''
  return (
    <Plot
      label={`Weights by value: ${share0} ${first.token.symbol}, ${share1} ${second.token.symbol}.${limits}`}
      height={labelHeight + barHeight + haltHeight}
      margin={{ top: labelHeight, bottom: haltHeight }}
    >
      {({ width, height, rem }) => {
        const border = toShare(first.valueRaw, totalRaw) * width
        return (
          <>
            <text className={styles['label']} y={-0.5 * rem}>
              {first.token.symbol} {share0}
            </text>
            <text className={styles['label']} x={width} y={-0.5 * rem} textAnchor="end">
              {second.token.symbol} {share1}
            </text>
            {totalRaw === 0n ? (
              <rect className={styles['empty']} width={width} height={height} rx={4} />
            ) : (
              <>
                <rect className={styles['first']} width={border} height={height} />
                <rect
                  className={styles['weightPlotSecond']}
                  x={border}
                  width={Math.max(0, width - border)}
                  height={height}
                />
                <rect
                  className={styles['border']}
                  x={border - 1.5}
                  y={-0.25 * rem}
                  width={3}
                  height={height + 0.5 * rem}
                />
              </>
            )}
            {halts && <Halt share={halts.low} area={{ width, height, rem }} />}
            {halts && <Halt share={halts.high} area={{ width, height, rem }} />}
          </>
        )
      }}
    </Plot>
  )
}

export declare namespace WeightPlot {
  type Props = { readonly value: PoolValue; readonly halts: Halts | undefined }
}

type HaltProps = { readonly share: Share; readonly area: Plot.Area }

/** Draws a line at a halt, with its share below. */
function Halt({ share: { part, whole }, area: { width, height, rem } }: HaltProps) {
  const at = toShare(part, whole)
  const x = Math.min(1, Math.max(0, at)) * width
  const isLeft = at < 0.5
  const [start, end] = isLeft ? [0, x] : [x, width]
  return (
    <>
      <rect className={styles['beyond']} x={start} width={end - start} height={height} />
      <line className={styles['halt']} x1={x} x2={x} y1={-0.35 * rem} y2={height + 0.5 * rem} />
      <text x={x} y={height + 1.4 * rem} textAnchor={at < 0.12 ? 'start' : at > 0.88 ? 'end' : 'middle'}>
        halt {Decimal.formatShare(part, whole)}
      </text>
    </>
  )
}
