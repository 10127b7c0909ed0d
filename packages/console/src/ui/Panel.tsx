import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './ui.module.css'

/** A section of a page with a heading and actions. */
export function Panel({ title, level = 2, actions, children, className }: Panel.Props) {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={classes(styles['panel'], className)} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles['panelHeader']}>
          <Heading id={id}>{title}</Heading>
          {actions && <div className={styles['panelActions']}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}

export declare namespace Panel {
  type Props = {
    readonly title?: string
    readonly level?: 2 | 3
    readonly actions?: ReactNode
    readonly children: ReactNode
    readonly className?: string | undefined
  }
}

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

/** A placeholder for a loading text. `label` names the text for screen readers. */
export function Skeleton({ width = '6rem', label }: { readonly width?: string; readonly label?: string }) {
  return (
    <span className={styles['skeleton']} style={{ width }}>
      {label !== undefined && <output className="visually-hidden">{label}</output>}
    </span>
  )
}
