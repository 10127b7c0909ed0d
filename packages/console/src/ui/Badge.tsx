import type { ReactNode } from 'react'
import styles from './Badge.module.css'
import { classes } from './classes.ts'

/** A word about a state. Its colour says nothing that the word does not. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes(styles['badge'], styles[tone])}>{children}</span>
}

export type Tone = 'neutral' | 'positive' | 'warning' | 'danger' | 'accent'
