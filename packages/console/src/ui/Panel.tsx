import { useId, type ReactNode } from 'react'
import styles from './ui.module.css'
import { classes } from './classes.ts'

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
