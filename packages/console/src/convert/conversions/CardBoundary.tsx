import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

type Props = { readonly onDismiss: () => void; readonly children: ReactNode }

/** Keeps a stored conversion that cannot be shown, since its fields are not what they should be, from taking the page with it. */
export class CardBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    const { onDismiss, children } = this.props
    if (!this.state.hasFailed) return children
    return (
      <Notice
        tone="danger"
        title="A stored conversion cannot be shown"
        actions={
          <Button size="small" onClick={onDismiss}>
            Dismiss
          </Button>
        }
      >
        What this browser has stored of it is not complete.
      </Notice>
    )
  }
}
