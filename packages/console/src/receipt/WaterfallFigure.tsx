import { Decimal } from '@agio/react/internal'
import type { ReceiptConversion, TokenReference } from '@agio/sdk'
import { scaleLinear } from 'd3-scale'
import { Amount } from '../amount/Amount.tsx'
import { BottomAxis, Plot, listTicks, toPosition, toShare } from '../plot/Plot.tsx'
import { Notice } from '../ui/Notice.tsx'
import { classes } from '../ui/classes.ts'
import parts from '../ui/ui.module.css'
import {
  type Waterfall,
  type WaterfallLayout,
  type WaterfallRow,
  layOutWaterfall,
  partNames,
  placeValue,
} from './Waterfall.ts'
import styles from './receipt.module.css'

/** Shows the waterfall from the oracles' amount to the amount received, as a plot and as a table. */
export function WaterfallFigure({ waterfall, token, conversion }: WaterfallFigure.Props) {
  const layout = layOutWaterfall(waterfall)
  const format = (raw: bigint) => Decimal.format(Decimal.shorten(Decimal.fromRaw(raw, token.decimals), 2))
  return (
    <figure className={parts['stack']}>
      <figcaption className={styles['caption']}>
        <h3>How your rate was made</h3>
        <Sum waterfall={waterfall} token={token} />
      </figcaption>
      <div className={styles['columns']}>
        <div>
          <WaterfallPlot layout={layout} waterfall={waterfall} token={token} />
          {layout.isCut && (
            <p className={classes('note', styles['cut'])}>
              Axis starts at {format(layout.fromRaw)} {token.symbol}. The bar on top shows the full amount.
            </p>
          )}
        </div>
        <PartTable layout={layout} waterfall={waterfall} token={token} conversion={conversion} />
      </div>
    </figure>
  )
}

export declare namespace WaterfallFigure {
  type Props = {
    readonly waterfall: Waterfall
    /** The received token, the unit of all parts. */
    readonly token: TokenReference
    readonly conversion: ReceiptConversion
  }
}

function Sum({
  waterfall: { sumRaw, receivedRaw },
  token: { decimals, symbol },
}: Omit<WaterfallFigure.Props, 'conversion'>) {
  if (sumRaw === receivedRaw) {
    return <p className={styles['sum']}>The parts add up exactly to the amount received.</p>
  }
  const [sum, received] = [Decimal.fromRaw(sumRaw, decimals), Decimal.fromRaw(receivedRaw, decimals)]
  return (
    <Notice tone="danger" title="The parts do not add up to the amount received">
      The parts add up to {sum} {symbol}, but {received} {symbol} were received.{' '}
      {Decimal.fromRaw(receivedRaw - sumRaw, decimals)} {symbol} are unexplained. This is an error of the service.
      Please report it with the receipt as JSON.
    </Notice>
  )
}

type TableProps = WaterfallFigure.Props & { readonly layout: WaterfallLayout }

function PartTable({ layout, waterfall: { oracleRaw }, token, conversion }: TableProps) {
  const about = describeParts(conversion)
  return (
    <table className={styles['partTable']}>
      <caption className="visually-hidden">The parts of the amount received, in {token.symbol}</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">{token.symbol}</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {layout.rows.map((row) => (
          <tr key={row.kind} className={styles[row.kind]}>
            <th scope="row">
              {partNames[row.kind]}
              <span className={styles['about']}>{about[row.kind]}</span>
            </th>
            <td>
              <Signed row={row} decimals={token.decimals} />
            </td>
            <td>{Decimal.formatShare(row.raw, oracleRaw)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Signed({ row: { kind, raw }, decimals }: { readonly row: WaterfallRow; readonly decimals: number }) {
  const isChange = kind !== 'oracle' && kind !== 'received'
  return (
    <>
      {isChange && raw > 0n && '+'}
      <Amount value={Decimal.fromRaw(raw, decimals)} />
    </>
  )
}

/** Returns a description of each part. */
function describeParts({ oracleAt, routeFeeRate }: ReceiptConversion): Readonly<Record<WaterfallRow['kind'], string>> {
  const isQuoted = oracleAt === 'quote'
  return {
    oracle: isQuoted ? 'Amount paid, at the prices of the quote' : 'Amount paid, at the prices of the execution',
    priceMove: isQuoted ? 'From the quote to the execution' : 'Only with a known quote',
    impact: 'Of the amount on the price',
    fee: `Of the pools${routeFeeRate === undefined ? '' : `, ${routeFeeRate}`}`,
    rounding: 'To whole units of the tokens',
    received: 'Paid to the recipient',
  }
}

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
function WaterfallPlot({ layout, waterfall, token }: WaterfallPlot.Props) {
  const top = layout.isCut ? wholeHeight + zoomHeight : 0
  const format = (raw: bigint) => `${Decimal.fromRaw(raw, token.decimals)} ${token.symbol}`
  const label = `Waterfall from ${format(waterfall.oracleRaw)} at market rate to ${format(waterfall.receivedRaw)} received`
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
            {layout.isCut ? `Difference from the market rate, ${token.symbol}` : token.symbol}
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

declare namespace WaterfallPlot {
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
