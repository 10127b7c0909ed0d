import type { ReactNode } from 'react'
import styles from './Totals.module.css'

/** A row of numbers with their names. */
export function Totals({ values }: { readonly values: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={styles['totals']}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
