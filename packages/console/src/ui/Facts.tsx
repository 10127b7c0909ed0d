import type { ReactNode } from 'react'
import styles from './ui.module.css'

/** A list of names and values in as many columns as fit. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles['facts']}>{children}</dl>
}

/** A name and its value. Shows nothing without a value. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === undefined || children === null || children === false) return null
  return (
    <div className={styles['fact']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

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
