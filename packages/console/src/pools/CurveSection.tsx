import { Decimal, findAgioError, toErrorTitle } from '@agio/react/internal'
import type { ConvertLadder, PoolDetails, TokenReference } from '@agio/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Amount } from '../amount/Amount.tsx'
import { ErrorNotice, QueryErrorNotice } from '../errors/ErrorNotice.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Panel, Skeleton, Stack } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'
import { FlipIcon } from '../ui/icons.tsx'
import { type SizeAxis, AxisChoice, CurveControl, CurvePlot } from './CurvePlot.tsx'
import { type Curve, type CurvePoint, toCurve } from './Pool.ts'
import styles from './pools.module.css'
import { type usePool, useEvenLadders } from './usePool.ts'

/**
 * Shows the curve of one direction, and switches to the other. A pool with its own curve bends at large sizes, so its axis is linear by
 * default.
 */
export function CurveSection({ pool, ladders, isBent }: CurveSection.Props) {
  const [chosen, setAxis] = useState<SizeAxis>()
  const axis = chosen ?? (isBent ? 'linear' : 'log')
  const even = useEvenLadders(pool, axis === 'linear' ? ladders.map(({ data }) => data) : [])
  const [forward, back] = [even[0] ?? ladders[0], even[1] ?? ladders[1]]
  const error = findCommonError(ladders)
  const [direction, setDirection] = useState<'forward' | 'back'>('forward')
  const isForward = direction === 'forward'
  return (
    <section aria-labelledby="curves">
      <Stack>
        <header className={styles['header']}>
          <h2 id="curves">Rate by size</h2>
          <AxisChoice axis={axis} onChange={setAxis} />
        </header>
        {error !== undefined && (
          <ErrorNotice
            error={error}
            at={ladders[0].errorUpdatedAt}
            isRepeated
            actions={
              <Button size="small" onClick={() => ladders.forEach(({ refetch }) => void refetch())}>
                Try again
              </Button>
            }
          />
        )}
        {(error === undefined || forward.data || back.data) && (
          <CurvePanel
            key={direction}
            tokenIn={isForward ? pool.token0 : pool.token1}
            tokenOut={isForward ? pool.token1 : pool.token0}
            axis={axis}
            query={isForward ? forward : back}
            isErrorShown={error !== undefined}
            actions={
              <Button size="small" icon={<FlipIcon />} onClick={() => setDirection(isForward ? 'back' : 'forward')}>
                Other direction
              </Button>
            }
          />
        )}
      </Stack>
    </section>
  )
}

export declare namespace CurveSection {
  type Props = {
    readonly pool: PoolDetails
    readonly ladders: ReturnType<typeof usePool>['ladders']
    /** Whether the pool has its own curve. */
    readonly isBent: boolean
  }
}

/** Returns the error of both directions if it is the same, so that it is shown once. */
function findCommonError([first, second]: CurveSection.Props['ladders']): unknown {
  const [code, otherCode] = [first, second].map(({ error }) => findAgioError(error)?.code)
  return code !== undefined && code === otherCode ? first.error : undefined
}

/**
 * Shows the output of conversions of all sizes in one direction: the curve, the values at the cursor, and a table of
 * the points.
 */
function CurvePanel({ tokenIn, tokenOut, axis, query, isErrorShown, actions }: CurvePanel.Props) {
  const { data, error } = query
  const curve = data && toCurve(data)
  const isOld = error !== null || isErrorShown
  return (
    <Panel title={`${tokenIn.symbol} to ${tokenOut.symbol}`} level={3} actions={actions}>
      <Stack>
        {error !== null && !isErrorShown && <QueryErrorNotice query={query} isRepeated />}
        {!data && !isOld && <LoadingCurve />}
        {data && !curve && (
          <Notice title={`${tokenIn.symbol} cannot be converted at the moment`}>
            The pool has reached its halt in this direction, or is empty. Conversions in the other direction make room.
          </Notice>
        )}
        {data && curve && (
          <Stack className={isOld ? styles['old'] : undefined}>
            {isOld && <p className="note">Showing the curve of block {data.blockNumber}.</p>}
            <CurveFigure curve={curve} axis={axis} ladder={data} />
          </Stack>
        )}
      </Stack>
    </Panel>
  )
}

declare namespace CurvePanel {
  type Props = {
    readonly actions?: ReactNode
    readonly tokenIn: TokenReference
    readonly tokenOut: TokenReference
    readonly axis: SizeAxis
    readonly query: LadderQuery
    /** Whether the error of the query is already shown outside the panel. */
    readonly isErrorShown: boolean
  }
  type LadderQuery = Pick<
    UseQueryResult<ConvertLadder, object>,
    'data' | 'error' | 'errorUpdatedAt' | 'isFetching' | 'refetch'
  >
}

type FigureProps = { readonly curve: Curve; readonly axis: SizeAxis; readonly ladder: ConvertLadder }

function CurveFigure({ curve, axis, ladder }: FigureProps) {
  const [selected, setSelected] = useState<number>()
  // A new ladder may have fewer points.
  const cursor = Math.min(selected ?? Math.floor(curve.points.length * 0.75), curve.points.length - 1)
  const point = curve.points[cursor]
  return (
    <>
      <CurveControl
        curve={curve}
        axis={axis}
        label={`Size in ${ladder.tokenIn.symbol}`}
        valueText={point ? describe(point, ladder) : ''}
        cursor={cursor}
        onSelect={setSelected}
      >
        <CurvePlot curve={curve} axis={axis} ladder={ladder} cursor={cursor} />
      </CurveControl>
      <Legend curve={curve} />
      {point && <Reading point={point} ladder={ladder} />}
      <LadderTable curve={curve} ladder={ladder} />
    </>
  )
}

/** Explains the line and the area of the plot. */
function Legend({ curve: { firstPrecise, points } }: { readonly curve: Curve }) {
  return (
    <p className={classes('note', styles['legend'])}>
      <span className={styles['curvePanelOracle']} /> Market rate
      {firstPrecise !== points[0]?.size && (
        <>
          <span className={styles['curvePanelRounding']} /> Rounding dominates
        </>
      )}
    </p>
  )
}

type ReadingProps = { readonly point: CurvePoint; readonly ladder: ConvertLadder }

/** Shows the values at the cursor. Every size has all rows, so that nothing moves. */
function Reading({ point: { row, rate }, ladder: { tokenIn, tokenOut } }: ReadingProps) {
  const isLong = Math.max(tokenIn.decimals, tokenOut.decimals) > 12
  return (
    <dl className={classes(styles['reading'], isLong && styles['long'])}>
      <Fact name="Pays">
        <Amount value={row.amountIn} symbol={tokenIn.symbol} />
      </Fact>
      <Fact name="Receives">
        {row.amountOut !== undefined && <Amount value={row.amountOut} symbol={tokenOut.symbol} />}
        {row.error && toErrorTitle(row.error.code)}
      </Fact>
      <Fact name="At market rate">
        {row.oracleAmountOut === undefined ? '–' : <Amount value={row.oracleAmountOut} symbol={tokenOut.symbol} />}
      </Fact>
      <Fact name={`Rate, ${tokenOut.symbol} per ${tokenIn.symbol}`}>
        {row.exchangeRate === undefined ? '–' : <Amount value={row.exchangeRate} />}
      </Fact>
      <Fact name="Against the market rate">{rate ? Decimal.formatShare(rate.part, rate.whole) : '–'}</Fact>
      <Fact name="Price impact">{row.impact === undefined ? '–' : Decimal.formatPercent(row.impact)}</Fact>
    </dl>
  )
}

/** Describes the values at the cursor for screen readers. */
function describe({ row, rate }: CurvePoint, { tokenIn, tokenOut }: ConvertLadder): string {
  const amountIn = `${Decimal.format(row.amountIn)} ${tokenIn.symbol}`
  if (row.amountOut === undefined || row.impact === undefined || !rate)
    return `${amountIn}: ${row.error?.message ?? 'no rate'}`
  const received = `${Decimal.format(row.amountOut)} ${tokenOut.symbol}`
  return `${amountIn} receive ${received}, ${Decimal.formatShare(rate.part, rate.whole)} from the market rate, impact ${Decimal.formatPercent(row.impact)}`
}

/** A placeholder with the height of a curve, so that the page does not move. */
function LoadingCurve() {
  return (
    <div className={styles['curvePanelLoading']}>
      <Skeleton width="100%" label="Loading the curve" />
      <Skeleton width="70%" />
    </div>
  )
}

/** Lists the points of a curve with all digits, on demand. */
function LadderTable({ curve: { points }, ladder }: LadderTable.Props) {
  const { tokenIn, tokenOut } = ladder
  return (
    <details className={styles['details']}>
      <summary>All {points.length} sizes as a table</summary>
      <section
        className={classes('scrolls', styles['scroll'])}
        aria-label={`Conversions of ${tokenIn.symbol} to ${tokenOut.symbol} by size`}
        tabIndex={0}
      >
        <table className={styles['ladderTableTable']}>
          <caption className="visually-hidden">
            Output in {tokenOut.symbol} for amounts of {tokenIn.symbol} at block {ladder.blockNumber}
          </caption>
          <thead>
            <tr>
              <th scope="col">Pays, {tokenIn.symbol}</th>
              <th scope="col">Receives, {tokenOut.symbol}</th>
              <th scope="col">Rate</th>
              <th scope="col">At market rate</th>
              <th scope="col">Against the market rate</th>
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

declare namespace LadderTable {
  type Props = { readonly curve: Curve; readonly ladder: ConvertLadder }
}

function Row({ point: { row, rate } }: { readonly point: CurvePoint }) {
  return (
    <tr>
      <th scope="row">
        <Amount value={row.amountIn} />
      </th>
      {row.error ? (
        <td colSpan={5} className={styles['ladderTableError']}>
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
