import { useRef, type PointerEvent, type ReactNode } from 'react'
import { curveMargin } from './CurvePlot.tsx'
import styles from './CurveControl.module.css'
import { createSizeScale, type SizeAxis } from './createSizeScale.ts'
import type { Curve } from './toCurve.ts'

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
