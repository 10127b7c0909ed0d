import type { ReactNode } from 'react'
import styles from './ui.module.css'
import { classes } from './classes.ts'

/** A label for a state. The colour adds no information. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles['badge'], styles[tone])}>{children}</span>
}

/** The meaning of a badge, which chooses its colour. */
export type Tone = 'neutral' | 'positive' | 'warning' | 'danger' | 'accent'
