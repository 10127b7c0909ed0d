import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './Button.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './Dialog.module.css'

/**
 * A dialogue over the page, which holds the focus until it is closed, and then gives it back. A click beside it is no answer. The
 * focus begins at the element with `data-autofocus`, or at the whole.
 */
export function Dialog({ title, description, onClose, children }: Dialog.Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Otherwise the button in its corner would have the focus, which is not where it is read from.
    const first = shown?.querySelector<HTMLElement>('[data-autofocus]') ?? shown
    first?.focus()
    // Closed before it is removed, so that the browser gives the focus back.
    return () => shown?.close()
  }, [])
  const close = (event: SyntheticEvent) => {
    // What follows decides whether it closes.
    event.preventDefault()
    onClose()
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close(event)
  }
  return createPortal(
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes a dialogue
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={styles['dialog']}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      onCancel={close}
      onKeyDown={closeByKey}
    >
      <header className={styles['header']}>
        <h2 id={`${id}-title`}>{title}</h2>
        <Button variant="quiet" size="small" aria-label="Close" icon={<CloseIcon />} onClick={onClose} />
      </header>
      {description !== undefined && <p id={`${id}-description`}>{description}</p>}
      {children}
    </dialog>,
    document.body,
  )
}

export declare namespace Dialog {
  type Props = {
    readonly title: string
    readonly description?: string | undefined
    /** Is called by Escape and by the button in the corner. */
    readonly onClose: () => void
    readonly children: ReactNode
  }
}

/** The buttons at the end of a dialogue. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}
