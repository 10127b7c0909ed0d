import { useAgio } from '@agio/react/internal'
import { Component, lazy, type ReactNode, Suspense } from 'react'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import styles from './conversions.module.css'
import { useConversions } from './conversions.ts'
import { Notice } from '../../ui/Notice.tsx'

const ConversionCard = lazy(async () => ({ default: (await import('./ConversionCard.tsx')).ConversionCard }))

/** Lists the conversions of this browser, newest first, with their steps as they happen. */
export function ConversionList() {
  const { dismiss } = useAgio().conversions
  const { conversions, unreadable } = useConversions((state) => state)
  const isEmpty = conversions.length === 0 && unreadable.length === 0
  if (isEmpty) return null
  return (
    <section id={conversionsId} tabIndex={-1} aria-label="Conversions" className={styles['list']}>
      <h2>Conversions</h2>
      {conversions.map((conversion) => (
        <CardBoundary key={conversion.id} onDismiss={() => dismiss(conversion.id)}>
          <Suspense fallback={<Skeleton width="100%" label="Loading the conversion" />}>
            <ConversionCard conversion={conversion} />
          </Suspense>
        </CardBoundary>
      ))}
      {unreadable.map(({ id, error }) => (
        <ErrorNotice
          key={id}
          error={error}
          actions={
            <Button size="small" onClick={() => dismiss(id)}>
              Dismiss
            </Button>
          }
        />
      ))}
    </section>
  )
}

/** The id of the list of conversions, which the form links to. */
export const conversionsId = 'conversions'

type Props = { readonly onDismiss: () => void; readonly children: ReactNode }

/**
 * Shows a notice instead of a stored conversion that cannot be displayed, so that the rest of the page keeps working.
 */
class CardBoundary extends Component<Props, { readonly hasFailed: boolean }> {
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
