import { useRef, type PointerEvent, type ReactNode, useId } from 'react'
import type { ConvertLadder } from '@agio/sdk'
import { scaleLinear, scaleLog } from 'd3-scale'
import { line } from 'd3-shape'
import { BottomAxis, LeftAxis, Plot, listDecades, listTicks } from '../plot/Plot.tsx'
import styles from './pools.module.css'
import type { Curve, CurvePoint, Range } from './Pool.ts'

// Lengths in rem.
const height = 16.25
/** The margin of the plot and of the slider over it. */
const curveMargin = { top: 2, right: 0.75, bottom: 2.6, left: 4.25 }

/** Draws the rate of conversions by size, and a cursor at one size. */
export function CurvePlot({ curve, axis, ladder, cursor }: CurvePlot.Props) {
  const { tokenIn, tokenOut } = ladder
  return (
    <Plot
      label={`Rate of ${tokenIn.symbol} to ${tokenOut.symbol} against the market rate, by the size of the conversion`}
      height={height}
      margin={curveMargin}
    >
      {(area) => {
        const scales = createScales(curve, axis, area)
        const at = curve.points[cursor]
        return (
          <>
            <rect
              className={styles['curvePlotRounding']}
              width={toRoughWidth(curve, area, scales)}
              height={area.height}
            />
            <Axes curve={curve} axis={axis} area={area} scales={scales} symbol={tokenIn.symbol} />
            <line className={styles['curvePlotOracle']} x2={area.width} y1={scales.y(0)} y2={scales.y(0)} />
            <path className={styles['line']} d={toPath(curve, scales)} />
            {at && <Cursor point={at} area={area} scales={scales} />}
            <ErrorMarks curve={curve} area={area} scales={scales} />
          </>
        )
      }}
    </Plot>
  )
}

export declare namespace CurvePlot {
  type Props = {
    readonly curve: Curve
    readonly axis: SizeAxis
    readonly ladder: Pick<ConvertLadder, 'tokenIn' | 'tokenOut'>
    /** Index of the point with the cursor. */
    readonly cursor: number
  }
}

type Scales = ReturnType<typeof createScales>
type PartProps = { readonly curve: Curve; readonly area: Plot.Area; readonly scales: Scales }

function createScales({ sizes, percents }: Curve, axis: SizeAxis, { width, height: innerHeight }: Plot.Area) {
  return {
    x: createSizeScale(sizes, axis, width),
    y: scaleLinear([percents.min, percents.max], [innerHeight, 0]),
  }
}

function Axes({ curve, axis, area, scales: { x, y }, symbol }: AxesProps) {
  const ticks = listSizeTicks(curve.sizes, axis, Math.max(2, Math.floor(area.width / (4.5 * area.rem))))
  const format = y.tickFormat(5, '+~f')
  return (
    <>
      <BottomAxis area={area} ticks={ticks.map(({ value, label }) => ({ at: x(value), label }))} />
      <LeftAxis
        area={area}
        ticks={y.ticks(5).map((value) => ({ at: y(value), label: value === 0 ? '0%' : `${format(value)}%` }))}
      />
      <text x={area.width} y={area.height + 2.4 * area.rem} textAnchor="end">
        Size in {symbol}
      </text>
      <text x={-curveMargin.left * area.rem} y={-0.9 * area.rem}>
        Against the market rate
      </text>
    </>
  )
}

type AxesProps = PartProps & { readonly axis: SizeAxis; readonly symbol: string }

/** Returns the width of the part where one raw unit is a large share of an amount. */
function toRoughWidth({ firstPrecise, points }: Curve, { width }: Plot.Area, { x }: Scales): number {
  if (firstPrecise === points[0]?.size) return 0
  return firstPrecise === undefined ? width : Math.max(0, x(firstPrecise))
}

function Cursor({ point: { size, rate }, area, scales: { x, y } }: CursorProps) {
  const arm = 0.4 * area.rem
  return (
    <>
      <line className={styles['cursor']} x1={x(size)} x2={x(size)} y2={area.height} />
      {rate && y(rate.percent) <= area.height && (
        <circle className={styles['dot']} cx={x(size)} cy={y(rate.percent)} r={0.3 * area.rem} />
      )}
      {rate && y(rate.percent) > area.height && (
        // The point is below the plot.
        <path className={styles['below']} d={`M${x(size)} ${area.height}l${-arm} ${-arm}h${2 * arm}Z`} />
      )}
    </>
  )
}

type CursorProps = Omit<PartProps, 'curve'> & { readonly point: CurvePoint }

/** Draws a cross on the axis for each size that cannot be converted. */
function ErrorMarks({ curve, area, scales: { x } }: PartProps) {
  const arm = 0.25 * area.rem
  return curve.points
    .filter(({ rate }) => !rate)
    .map(({ size }) => (
      <path
        key={size}
        className={styles['curvePlotError']}
        d={`M${x(size) - arm} ${area.height - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`}
      />
    ))
}

/** Draws the points within the plot. Tiny sizes, where rounding dominates, may be below it. */
function toPath({ points, percents }: Curve, { x, y }: Scales): string {
  const draw = line<CurvePoint>()
    .defined(({ rate }) => rate !== undefined && rate.percent >= percents.min)
    .x(({ size }) => x(size))
    .y(({ rate }) => y(rate?.percent ?? 0))
  return draw(points) ?? ''
}

/** The kind of a size axis: logarithmic, or linear from zero. */
export type SizeAxis = 'log' | 'linear'

const names = { log: 'Log', linear: 'Linear' } as const

/** The choice between a logarithmic and a linear size axis. */
export function AxisChoice({ axis, onChange }: AxisChoiceProps) {
  const group = useId()
  return (
    <fieldset className={styles['choice']}>
      <legend>Scale</legend>
      {(['log', 'linear'] as const).map((option) => (
        <label key={option}>
          <input type="radio" name={group} checked={option === axis} onChange={() => onChange(option)} />
          {names[option]}
        </label>
      ))}
    </fieldset>
  )
}

type AxisChoiceProps = { readonly axis: SizeAxis; readonly onChange: (axis: SizeAxis) => void }

/** Creates the scale of a size axis from 0 to `length`. */
function createSizeScale({ min, max }: Range, axis: SizeAxis, length: number) {
  return axis === 'log' ? scaleLog([min, max], [0, length]) : scaleLinear([0, max], [0, length])
}

/** Lists the ticks of a size axis, about `maxCount` at most. */
function listSizeTicks(sizes: Range, axis: SizeAxis, maxCount: number) {
  return axis === 'log' ? listDecades(sizes, maxCount) : listTicks({ from: 0, to: sizes.max }, maxCount)
}

/** A slider over the plot of a curve. It selects a size by the pointer or the arrow keys. */
export function CurveControl({ curve, axis, label, valueText, cursor, onSelect, children }: CurveControl.Props) {
  const isPressed = useRef(false)
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (width > 0) onSelect(findNearest(curve, axis, (clientX - left) / width))
  }
  const { top, right, bottom, left } = curveMargin
  return (
    <div className={styles['place']}>
      {children}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={valueText}
        min={0}
        max={curve.points.length - 1}
        value={cursor}
        className={styles['control']}
        style={{ inset: `${top}rem ${right}rem ${bottom}rem ${left}rem` }}
        onPointerDown={(event) => {
          isPressed.current = true
          follow(event)
        }}
        onPointerMove={follow}
        onPointerUp={() => (isPressed.current = false)}
        onPointerCancel={() => (isPressed.current = false)}
        // A pressed slider assumes evenly spaced sizes, but the plot may be logarithmic.
        onChange={({ target }) => !isPressed.current && onSelect(Number(target.value))}
      />
    </div>
  )
}

export declare namespace CurveControl {
  type Props = {
    readonly curve: Curve
    readonly axis: SizeAxis
    /** The name of the selected value, such as `Size in tAUD`. */
    readonly label: string
    /** The values at the selected size, as text. */
    readonly valueText: string
    /** Index of the selected point. */
    readonly cursor: number
    readonly onSelect: (index: number) => void
    readonly children: ReactNode
  }
}

function findNearest({ points, sizes }: Curve, axis: SizeAxis, share: number): number {
  const place = createSizeScale(sizes, axis, 1)
  const distances = points.map(({ size }) => Math.abs(place(size) - share))
  return distances.indexOf(Math.min(...distances))
}
