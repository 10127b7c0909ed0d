import { Decimal } from '@agio/react/internal'
import type { TokenReference } from '@agio/sdk'
import { scaleLinear } from 'd3-scale'
import { BottomAxis } from '../plot/Axis.tsx'
import { Plot } from '../plot/Plot.tsx'
import { listTicks } from '../plot/listTicks.ts'
import { toPosition } from '../plot/toPosition.ts'
import { toShare } from '../plot/toShare.ts'
import styles from './WaterfallPlot.module.css'
import { type WaterfallLayout, type WaterfallRow, placeValue } from './layOutWaterfall.ts'
import { partNames } from './partNames.ts'
import type { Waterfall } from './toWaterfall.ts'

// Lengths in rem.
const rowHeight = 2.6
const barHeight = 1.4
const wholeHeight = 0.6
const zoomHeight = 1.5
const axisHeight = 2.6
const labelWidth = 7
// A digit is narrower than 0.6 of the size of the text, which is 0.75 rem.
const digitWidth = 0.45

/** Draws a waterfall. Above a cut waterfall, a line of the whole amount marks the shown section. */
export function WaterfallPlot({ layout, waterfall, token }: WaterfallPlot.Props) {
  const top = layout.isCut ? wholeHeight + zoomHeight : 0
  const format = (raw: bigint) => `${Decimal.fromRaw(raw, token.decimals)} ${token.symbol}`
  const label = `Waterfall from ${format(waterfall.oracleRaw)} at the oracles’ prices to ${format(waterfall.receivedRaw)} received`
  return (
    <Plot
      label={label}
      height={top + layout.rows.length * rowHeight + axisHeight}
      margin={{ top, bottom: axisHeight, left: labelWidth, right: 0.75 }}
    >
      {(area) => (
        <>
          {layout.isCut && <Whole area={area} layout={layout} />}
          <BottomAxis area={area} ticks={placeTicks(area, layout, { waterfall, token })} hasGrid />
          <text x={area.width} y={area.height + 2.4 * area.rem} textAnchor="end">
            {layout.isCut ? `Difference from the oracles’ amount, ${token.symbol}` : token.symbol}
          </text>
          {layout.rows.map((row, index) => (
            <g key={row.kind} transform={`translate(0 ${index * rowHeight * area.rem})`}>
              <text className={styles['label']} x={-labelWidth * area.rem} y={(rowHeight / 2) * area.rem} dy="0.35em">
                {partNames[row.kind]}
              </text>
              <Bar row={row} area={area} isCut={layout.isCut} />
              <Value row={row} area={area} token={token} />
              {index < layout.rows.length - 1 && <Link level={row.level} area={area} />}
            </g>
          ))}
        </>
      )}
    </Plot>
  )
}

export declare namespace WaterfallPlot {
  type Props = { readonly layout: WaterfallLayout; readonly waterfall: Waterfall; readonly token: TokenReference }
}

type AreaProps = { readonly area: Plot.Area }

/** Draws the whole amount from zero at true scale, with the shown section. */
function Whole({
  area: { width, rem },
  layout: { fromRaw: from, toRaw: to },
}: AreaProps & { readonly layout: WaterfallLayout }) {
  const [top, bottom] = [-(wholeHeight + zoomHeight) * rem, -zoomHeight * rem]
  const start = Math.min(toShare(from, to) * width, width - 2)
  return (
    <g>
      <text className={styles['label']} x={-labelWidth * rem} y={top + (wholeHeight / 2) * rem} dy="0.35em">
        Whole
      </text>
      <rect className={styles['whole']} y={top} width={width} height={wholeHeight * rem} rx={2} />
      <rect className={styles['section']} x={start} y={top} width={width - start} height={wholeHeight * rem} />
      <path className={styles['zoom']} d={`M${start} ${bottom}H${width}V0H0Z`} />
    </g>
  )
}

function Bar({
  row,
  area: { width, rem },
  isCut,
}: AreaProps & { readonly row: WaterfallRow; readonly isCut: boolean }) {
  const y = ((rowHeight - barHeight) / 2) * rem
  const height = barHeight * rem
  const isTotal = row.kind === 'oracle' || row.kind === 'received'
  if (row.raw === 0n) {
    return <path className={styles['zero']} d={`M${row.level * width} ${y}v${height}`} />
  }
  if (isTotal && isCut) return <path className={styles['total']} d={tear(row.end * width, { y, height })} />
  // A part that is too thin to see is widened in its direction.
  const thin = Math.max(0, 3 - (row.end - row.start) * width)
  const x = row.start * width - (row.raw < 0n ? thin : 0)
  const kind = isTotal ? 'total' : row.raw < 0n ? 'loss' : 'gain'
  return (
    <rect className={styles[kind]} x={x} y={y} width={(row.end - row.start) * width + thin} height={height} rx={1.5} />
  )
}

/** Writes the value of a bar beside it, into it or over it. Without room for all digits, only the table has the value. */
function Value({ row: { kind, raw, start, end }, area: { width, rem }, token: { decimals } }: ValueProps) {
  const isChange = kind !== 'oracle' && kind !== 'received'
  const text = `${isChange && raw > 0n ? '+' : ''}${Decimal.format(Decimal.fromRaw(raw, decimals))}`
  const place = placeValue(
    { start: start * width, end: end * width },
    { width, room: (text.length * digitWidth + 1) * rem },
  )
  if (!place) return null
  const { side, x } = place
  return (
    <text
      className={styles[side]}
      x={side === 'after' ? x + 0.5 * rem : x - 0.5 * rem}
      y={(rowHeight / 2) * rem}
      dy="0.35em"
      textAnchor={side === 'after' ? 'start' : 'end'}
    >
      {text}
    </text>
  )
}

type ValueProps = AreaProps & { readonly row: WaterfallRow; readonly token: TokenReference }

/** Returns the path of a bar with a torn left end, because the bar does not start there. */
function tear(end: number, { y, height }: { readonly y: number; readonly height: number }): string {
  const tooth = height / 4
  const teeth = `l${tooth} ${-tooth / 2}l${-tooth} ${-tooth / 2}`
  return `M0 ${y}H${end}v${height}H0${teeth.repeat(4)}Z`
}

/** Draws the line from the end of a bar to the next bar. */
function Link({ level, area: { width, rem } }: AreaProps & { readonly level: number }) {
  const x = level * width
  const y = ((rowHeight + barHeight) / 2) * rem
  return <line className={styles['link']} x1={x} x2={x} y1={y} y2={y + (rowHeight - barHeight) * rem} />
}

type Amounts = Pick<WaterfallPlot.Props, 'waterfall' | 'token'>

/** Places the ticks of the amount, or of the difference from the oracles' amount in a cut plot. */
function placeTicks({ width, rem }: Plot.Area, layout: WaterfallLayout, { waterfall, token }: Amounts) {
  const origin = layout.isCut ? waterfall.oracleRaw : 0n
  const place = (raw: bigint) => toPosition(Decimal.fromRaw(raw - origin, token.decimals))
  const range = { from: place(layout.fromRaw), to: place(layout.toRaw) }
  const scale = scaleLinear([range.from, range.to], [0, width])
  const count = Math.max(2, Math.floor(width / (6 * rem)))
  return listTicks(range, count).map(({ value, label }) => ({ at: scale(value), label }))
}
