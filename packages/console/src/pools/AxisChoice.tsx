import { useId } from 'react'
import styles from './AxisChoice.module.css'
import type { SizeAxis } from './createSizeScale.ts'

const names = { log: 'Log', linear: 'Linear' } as const

/** The choice between a logarithmic and a linear size axis. */
export function AxisChoice({ axis, onChange }: AxisChoice.Props) {
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

export declare namespace AxisChoice {
  type Props = { readonly axis: SizeAxis; readonly onChange: (axis: SizeAxis) => void }
}
