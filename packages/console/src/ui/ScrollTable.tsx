import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './ui.module.css'

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
