import { cloneElement, useId, useRef, type ReactElement } from 'react'
import styles from './ui.module.css'

/**
 * Shows a text below an element while the element is hovered or focused. Escape hides it. The element must be
 * focusable, and the text is its accessible description.
 */
export function Tooltip({ text, children }: Tooltip.Props) {
  const id = useId()
  const tip = useRef<HTMLSpanElement>(null)
  const isShown = () => tip.current?.matches(':popover-open') === true
  const show = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    if (!tip.current || isShown()) return
    tip.current.showPopover()
    const page = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight }
    const { left, top } = placeBeside(currentTarget.getBoundingClientRect(), tip.current.getBoundingClientRect(), page)
    Object.assign(tip.current.style, { left: `${left}px`, top: `${top}px` })
  }
  const hide = () => {
    if (isShown()) tip.current?.hidePopover()
  }
  const hideByKey = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape' || !isShown()) return
    // Keeps a dialog around it open.
    event.stopPropagation()
    hide()
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the element in it takes the focus
    <span
      className={styles['anchor']}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={hideByKey}
    >
      {cloneElement(children, { 'aria-describedby': id })}
      <span ref={tip} id={id} role="tooltip" popover="manual" className={styles['tooltip']}>
        {text}
      </span>
    </span>
  )
}

export declare namespace Tooltip {
  type Props = {
    readonly text: string
    readonly children: ReactElement<{ readonly 'aria-describedby'?: string | undefined }>
  }
}

type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

// The minimum distance to the edges of the page in pixels.
const margin = 8

/**
 * Returns the position in pixels for a box below another box, or above it without room below. The position is inside
 * the page.
 */
export function placeBeside(
  anchor: Box,
  { width, height }: Pick<Box, 'width' | 'height'>,
  page: Pick<Box, 'width' | 'height'>,
): Pick<Box, 'left' | 'top'> {
  const centred = anchor.left + (anchor.width - width) / 2
  const left = Math.max(margin, Math.min(centred, page.width - width - margin))
  const below = anchor.top + anchor.height
  const top = below + height + margin <= page.height ? below : Math.max(margin, anchor.top - height)
  return { left, top }
}
