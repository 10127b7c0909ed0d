import { Decimal } from '@agio/react/internal'
import type { ConvertLadder } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import { classes } from '../ui/classes.ts'
import type { Curve, CurvePoint } from './toCurve.ts'
import styles from './LadderTable.module.css'

/** Lists the points of a curve with all digits, on demand. */
export function LadderTable({ curve: { points }, ladder }: LadderTable.Props) {
  const { tokenIn, tokenOut } = ladder
  return (
    <details className={styles['details']}>
      <summary>All {points.length} sizes as a table</summary>
      <section
        className={classes('scrolls', styles['scroll'])}
        aria-label={`Conversions of ${tokenIn.symbol} to ${tokenOut.symbol} by size`}
        tabIndex={0}
      >
        <table className={styles['table']}>
          <caption className="visually-hidden">
            Output in {tokenOut.symbol} for amounts of {tokenIn.symbol} at block {ladder.blockNumber}
          </caption>
          <thead>
            <tr>
              <th scope="col">Pays, {tokenIn.symbol}</th>
              <th scope="col">Receives, {tokenOut.symbol}</th>
              <th scope="col">Rate</th>
              <th scope="col">Oracles’ amount</th>
              <th scope="col">Against the oracles</th>
              <th scope="col">Impact</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <Row key={point.row.amountIn} point={point} />
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

export declare namespace LadderTable {
  type Props = { readonly curve: Curve; readonly ladder: ConvertLadder }
}

function Row({ point: { row, rate } }: { readonly point: CurvePoint }) {
  return (
    <tr>
      <th scope="row">
        <Amount value={row.amountIn} />
      </th>
      {row.error ? (
        <td colSpan={5} className={styles['error']}>
          <code>{row.error.code}</code> {row.error.message}
        </td>
      ) : (
        <>
          <td>{row.amountOut !== undefined && <Amount value={row.amountOut} />}</td>
          <td>{row.exchangeRate !== undefined && <Amount value={row.exchangeRate} />}</td>
          <td>{row.oracleAmountOut !== undefined && <Amount value={row.oracleAmountOut} />}</td>
          <td>{rate && Decimal.formatShare(rate.part, rate.whole)}</td>
          <td>{row.impact !== undefined && Decimal.formatPercent(row.impact)}</td>
        </>
      )}
    </tr>
  )
}
