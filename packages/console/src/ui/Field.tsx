import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './ui.module.css'
import { classes } from './classes.ts'

/** A text input with a label, a hint and a validation error. */
export function TextField({ label, hint, error, ...props }: TextField.Props) {
  const id = useId()
  return (
    <Labelled label={label} hint={hint} error={error} id={id}>
      <input
        {...props}
        id={id}
        className={classes(styles['control'], props.className)}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-note`}
      />
    </Labelled>
  )
}

export declare namespace TextField {
  type Props = ComponentProps<'input'> & Note & { readonly label: string }
}

/** A select field with a label, a hint and a validation error. */
export function SelectField({ label, hint, error, isLabelHidden = false, children, ...props }: SelectField.Props) {
  const id = useId()
  return (
    <Labelled label={label} hint={hint} error={error} id={id} isLabelHidden={isLabelHidden}>
      <select
        {...props}
        id={id}
        className={classes(styles['control'], styles['select'], props.className)}
        aria-describedby={`${id}-note`}
      >
        {children}
      </select>
    </Labelled>
  )
}

export declare namespace SelectField {
  type Props = ComponentProps<'select'> & Note & { readonly label: string; readonly isLabelHidden?: boolean }
}

type Note = { readonly hint?: string | undefined; readonly error?: string | undefined }

function Labelled({ label, id, hint, error, isLabelHidden = false, children }: LabelledProps) {
  const note = error ?? hint
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles['label']}>
        {label}
      </label>
      {children}
      <p id={`${id}-note`} className={classes('note', styles['description'], error !== undefined && styles['error'])}>
        {note}
      </p>
    </div>
  )
}

type LabelledProps = Note & {
  readonly label: string
  readonly id: string
  readonly isLabelHidden?: boolean
  readonly children: ReactNode
}
