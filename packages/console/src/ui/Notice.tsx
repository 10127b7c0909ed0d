import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './ui.module.css'

/** A message in a page. Screen readers announce `danger` and `warning`. */
export function Notice({ tone = 'neutral', title, actions, children }: Notice.Props) {
  return (
    <div className={classes(styles['notice'], styles[tone])} role={tone === 'danger' ? 'alert' : 'status'}>
      {title !== undefined && <p className={styles['title']}>{title}</p>}
      {children !== undefined && <div className={styles['body']}>{children}</div>}
      {actions && <div className={styles['noticeActions']}>{actions}</div>}
    </div>
  )
}

export declare namespace Notice {
  type Props = {
    readonly tone?: 'neutral' | 'positive' | 'warning' | 'danger'
    readonly title?: string
    readonly actions?: ReactNode
    readonly children?: ReactNode
  }
}

/** A label for a state. The colour adds no information. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles['badge'], styles[tone])}>{children}</span>
}

/** The meaning of a badge, which chooses its colour. */
export type Tone = 'neutral' | 'positive' | 'warning' | 'danger' | 'accent'
