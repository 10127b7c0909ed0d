import type { ReactNode } from 'react'
import styles from './ui.module.css'
import { classes } from './classes.ts'

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
