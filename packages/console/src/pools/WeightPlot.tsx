import { Decimal } from '@agio/react/internal'
import { Plot } from '../plot/Plot.tsx'
import { toShare } from '../plot/toShare.ts'
import type { Halts, Share } from './findHalts.ts'
import type { PoolValue } from './valuePool.ts'
import styles from './pools.module.css'

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
