import { useAgio } from '@agio/react/internal'
import { lazy, Suspense } from 'react'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { CardBoundary } from './CardBoundary.tsx'
import styles from './ConversionList.module.css'
import { useConversions } from './conversions.ts'

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
