import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

type Props = { readonly onDismiss: () => void; readonly children: ReactNode }

/**
 * Shows a notice instead of a stored conversion that cannot be displayed, so that the rest of the page keeps working.
 */
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
        title="This stored conversion cannot be displayed"
        actions={
          <Button size="small" onClick={onDismiss}>
            Dismiss
          </Button>
        }
      >
        Its stored data is incomplete.
      </Notice>
    )
  }
}
