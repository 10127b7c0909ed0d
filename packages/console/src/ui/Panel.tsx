import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './ui.module.css'

/** The content of a page: its heading, one sentence about it, its actions, and its panels one below the other. */
export function Page({ title, intro, actions, children }: Page.Props) {
  return (
    <div className={styles['page']}>
      <header className={styles['pageHeader']}>
        <div>
          <h1>{title}</h1>
          {intro !== undefined && <p className={classes('note', styles['intro'])}>{intro}</p>}
        </div>
        {actions && <div className={styles['panelActions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export declare namespace Page {
  type Props = {
    readonly title: string
    readonly intro?: ReactNode
    readonly actions?: ReactNode
    readonly children: ReactNode
  }
}

type LayoutProps = { readonly children: ReactNode; readonly className?: string | undefined }

/** Parts one below the other. */
export function Stack({ children, className }: LayoutProps) {
  return <div className={classes(styles['stack'], className)}>{children}</div>
}

/** Parts beside each other, which wrap. */
export function Row({ children, className }: LayoutProps) {
  return <div className={classes(styles['row'], className)}>{children}</div>
}

/** Says that a list has no entries, and what creates the first one. */
export function Empty({ children }: LayoutProps) {
  return <div className={styles['empty']}>{children}</div>
}

/** A table in its own scroll area, which also scrolls by the keyboard. */
export function ScrollTable({ caption, isLong = false, className, children }: ScrollTable.Props) {
  return (
    <section
      aria-label={caption}
      tabIndex={0}
      className={classes('scrolls', styles['box'], isLong && styles['long'], className)}
    >
      <table className={styles['table']}>
        <caption className="visually-hidden">{caption}</caption>
        {children}
      </table>
    </section>
  )
}

export declare namespace ScrollTable {
  type Props = {
    readonly caption: string
    /** Whether the height is limited, because the table may have many rows. */
    readonly isLong?: boolean
    readonly className?: string | undefined
    readonly children: ReactNode
  }
}

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
