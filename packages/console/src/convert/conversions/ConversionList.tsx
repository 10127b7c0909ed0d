import { lazy, Suspense, useEffect } from 'react'
import { useConnection } from 'wagmi'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { useWallet } from '../../wallet/useWallet.ts'
import { announce } from './announce.ts'
import { CardBoundary } from './CardBoundary.tsx'
import styles from './ConversionList.module.css'
import { useConversions } from './conversions.ts'

const ConversionCard = lazy(async () => ({ default: (await import('./ConversionCard.tsx')).ConversionCard }))

/** Lists the conversions of this browser, newest first, with their steps as they happen. */
export function ConversionList() {
  const { conversions, unreadable, dismiss } = useConversions()
  useFollowStored()
  const isEmpty = conversions.length === 0 && unreadable.length === 0
  return (
    <section id={conversionsId} aria-label="Conversions" className={isEmpty ? styles['empty'] : styles['list']}>
      <output className="visually-hidden">{announce(conversions)}</output>
      {!isEmpty && <h2>Conversions</h2>}
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

/** Follows the stored conversions once the page knows whether a wallet is connected. */
function useFollowStored(): void {
  const wallet = useWallet()
  const { status } = useConnection()
  const followStored = useConversions((state) => state.followStored)
  const isKnown = status === 'connected' || status === 'disconnected'
  useEffect(() => {
    if (isKnown) followStored(wallet)
  }, [isKnown, followStored, wallet])
}
