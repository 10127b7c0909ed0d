import { Decimal, findAgioError } from '@agio/react/internal'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Button } from '../../ui/Button.tsx'
import type { QuoteView } from '../quote/useQuote.ts'
import { useForm } from './useForm.ts'

/** Explains why there is no quote, and offers a remedy. */
export function QuoteFailure({ view: { failed, isBusy, renew } }: { readonly view: QuoteView }) {
  const { setText } = useForm()
  const agioError = findAgioError(failed?.error)
  if (!failed) return null
  const most = agioError?.code === 'svc/above-max-origin' ? agioError.details.maxAmountIn : undefined
  const canRetry =
    agioError?.retryable === true && agioError.code !== 'svc/rate-limited' && agioError.code !== 'svc/quota-exceeded'
  return (
    <ErrorNotice
      {...failed}
      actions={
        <>
          {most !== undefined && (
            <Button onClick={() => setText('exact-in', Decimal.localize(most))}>{`Pay ${Decimal.format(most)}`}</Button>
          )}
          {canRetry && (
            <Button isBusy={isBusy} onClick={() => void renew()}>
              Try again
            </Button>
          )}
        </>
      }
    />
  )
}
