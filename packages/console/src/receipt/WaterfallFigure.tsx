import { Decimal } from '@agio/react/internal'
import type { ReceiptConversion, TokenReference } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import { Notice } from '../ui/Notice.tsx'
import ui from '../ui/ui.module.css'
import { type Waterfall, type WaterfallRow, layOutWaterfall, partNames } from './Waterfall.ts'
import styles from './receipt.module.css'

/** Shows how the amount received follows from the market rate: a row for each part that changes it, with a bar. */
export function WaterfallFigure({ waterfall, token, conversion }: WaterfallFigure.Props) {
  const { rows, isCut, fromRaw } = layOutWaterfall(waterfall)
  const from = Decimal.shorten(Decimal.fromRaw(fromRaw, token.decimals), 2)
  const about = describeParts(conversion)
  return (
    <figure className={ui['stack']}>
      <figcaption className={styles['caption']}>
        <h3>How your rate was made</h3>
        <Sum waterfall={waterfall} token={token} />
      </figcaption>
      <table className={styles['parts']}>
        <caption className="visually-hidden">The parts of the amount received, in {token.symbol}</caption>
        <tbody>
          {rows
            .filter((row) => isTotal(row) || row.raw !== 0n)
            .map((row) => (
              <tr key={row.kind} className={styles[row.kind]}>
                <th scope="row">
                  {partNames[row.kind]}
                  <span className={styles['about']}>{about[row.kind]}</span>
                </th>
                <td>
                  {!isTotal(row) && row.raw > 0n && '+'}
                  <Amount value={Decimal.fromRaw(row.raw, token.decimals)} symbol={token.symbol} />
                </td>
                <td>{Decimal.formatShare(row.raw, waterfall.oracleRaw)}</td>
                <td>
                  <Bar row={row} isCut={isCut} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      {isCut && (
        <p className="note">
          The bars begin at {Decimal.format(from)} {token.symbol}.
        </p>
      )}
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

/** Returns a description of each part. */
function describeParts({ oracleAt, routeFeeRate }: ReceiptConversion): Readonly<Record<WaterfallRow['kind'], string>> {
  const isQuoted = oracleAt === 'quote'
  return {
    oracle: isQuoted ? 'Amount paid, at the prices of the quote' : 'Amount paid, at the prices of the execution',
    priceMove: 'From the quote to the execution',
    impact: 'Of the amount on the price',
    fee: `Of the pools${routeFeeRate === undefined ? '' : `, ${routeFeeRate}`}`,
    rounding: 'To whole units of the tokens',
    received: 'Paid to the recipient',
  }
}

function isTotal({ kind }: WaterfallRow): boolean {
  return kind === 'oracle' || kind === 'received'
}

/** Draws the bar of a row. Bars of amounts that do not begin at zero have a torn end. */
function Bar({ row, isCut }: { readonly row: WaterfallRow; readonly isCut: boolean }) {
  const kind = isTotal(row) ? 'total' : row.raw < 0n ? 'loss' : 'gain'
  const percent = (share: number) => `${100 * share}%`
  return (
    <svg className={styles['bar']} aria-hidden>
      <rect
        className={styles[kind]}
        x={percent(row.start)}
        height="100%"
        style={{ width: `max(2px, ${percent(row.end - row.start)})` }}
      />
      {isTotal(row) && isCut && <path className={styles['tear']} d={`M0 0${'l4 4l-4 4'.repeat(4)}z`} />}
    </svg>
  )
}
