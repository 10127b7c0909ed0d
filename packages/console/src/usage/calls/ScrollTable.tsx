import type { ReactNode } from 'react'
import styles from './ScrollTable.module.css'
import { classes } from '../../ui/classes.ts'

/** A table in a box of its own, which scrolls where the table is wider or longer than its place, by the keyboard too. */
export function ScrollTable({ caption, isLong = false, className, children }: ScrollTable.Props) {
  return (
    <section aria-label={caption} tabIndex={0} className={classes(styles['box'], isLong && styles['long'], className)}>
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
    /** Whether it may have so many rows that the box has to be limited. */
    readonly isLong?: boolean
    readonly className?: string | undefined
    readonly children: ReactNode
  }
}
