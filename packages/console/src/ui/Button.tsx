import type { ComponentProps, ReactNode } from 'react'
import styles from './ui.module.css'
import { classes } from './classes.ts'

/**
 * A button. Use `primary` once in each view, and `danger` for actions that cannot be undone. A busy button keeps its
 * width and ignores clicks.
 */
export function Button({
  variant = 'secondary',
  size = 'normal',
  isBusy = false,
  icon,
  children,
  ...props
}: Button.Props) {
  return (
    <button
      type="button"
      {...props}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || props['aria-disabled']}
      onClick={isBusy ? undefined : props.onClick}
      className={classes(styles['button'], styles[variant], styles[size], props.className)}
    >
      {icon}
      {children}
    </button>
  )
}

export declare namespace Button {
  type Props = ComponentProps<'button'> & {
    readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
    readonly size?: 'normal' | 'small' | 'large'
    readonly isBusy?: boolean
    readonly icon?: ReactNode
  }
}
