import { Decimal } from '@agio/react/internal'
import type { ReceiptConversion, TokenReference } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import { Notice } from '../ui/Notice.tsx'
import { layOutWaterfall, type WaterfallLayout, type WaterfallRow } from './layOutWaterfall.ts'
import { partNames } from './partNames.ts'
import type { Waterfall } from './toWaterfall.ts'
import { WaterfallPlot } from './WaterfallPlot.tsx'
import { classes } from '../ui/classes.ts'
import parts from '../ui/ui.module.css'
import styles from './WaterfallFigure.module.css'

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

function PartTable({ layout, waterfall: { oracleRaw, sumRaw }, token, conversion }: TableProps) {
  const about = describeParts(conversion)
  return (
    <table className={styles['table']}>
      <caption className="visually-hidden">The parts of the amount received, in {token.symbol}</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">{token.symbol}</th>
          <th scope="col">
            <span className={styles['wide']}>Of the oracles’ amount</span>
            <span className={styles['narrow']}>Share</span>
          </th>
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
      <tfoot>
        <tr>
          <th scope="row">Sum of the parts</th>
          <td>
            <Amount value={Decimal.fromRaw(sumRaw, token.decimals)} />
          </td>
          <td>{Decimal.formatShare(sumRaw, oracleRaw)}</td>
        </tr>
      </tfoot>
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
