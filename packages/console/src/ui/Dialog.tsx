import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './Button.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './ui.module.css'

/**
 * A modal dialog. It keeps the focus until it is closed, and then returns it. A click outside does not close it. The
 * focus starts at the element with `data-autofocus`, or at the dialog itself.
 */
export function Dialog({ title, description, onClose, children }: Dialog.Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Otherwise the close button would get the focus, and screen readers would skip the content.
    const first = element?.querySelector<HTMLElement>('[data-autofocus]') ?? element
    first?.focus()
    // Closed before it is removed, so that the browser returns the focus.
    return () => element?.close()
  }, [])
  const close = (event: SyntheticEvent) => {
    // `onClose` decides whether the dialog closes.
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
      <header className={styles['dialogHeader']}>
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
    /** Called by Escape and by the close button. */
    readonly onClose: () => void
    readonly children: ReactNode
  }
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['dialogActions']}>{children}</div>
}
