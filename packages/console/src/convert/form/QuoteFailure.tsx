import { Decimal, findAgioError, type QuoteFailure as Failure, type QuoteView } from '@agio/react/internal'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Button } from '../../ui/Button.tsx'
import { useForm } from './useForm.ts'

/** Explains why there is no quote, and offers a remedy. */
export function QuoteFailure({ failure, isFetching, renew }: QuoteFailure.Props) {
  const { setText } = useForm()
  const agioError = findAgioError(failure.error)
  const most = agioError?.code === 'svc/above-max-origin' ? agioError.details.maxAmountIn : undefined
  const canRetry =
    agioError?.retryable === true && agioError.code !== 'svc/rate-limited' && agioError.code !== 'svc/quota-exceeded'
  return (
    <ErrorNotice
      {...failure}
      actions={
        <>
          {most !== undefined && (
            <Button onClick={() => setText('exact-in', Decimal.localize(most))}>{`Pay ${Decimal.format(most)}`}</Button>
          )}
          {canRetry && (
            <Button isBusy={isFetching} onClick={() => void renew()}>
              Try again
            </Button>
          )}
        </>
      }
    />
  )
}

export declare namespace QuoteFailure {
  type Props = Pick<QuoteView, 'isFetching' | 'renew'> & { readonly failure: Failure }
}
