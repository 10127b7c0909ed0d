import {
  Decimal,
  findAgioError,
  type PriceChange,
  type QuoteFailure as Failure,
  type QuoteView,
} from '@agio/react/internal'
import { conversionsId } from '../conversions/ConversionList.tsx'
import { useConversions } from '../conversions/conversions.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './form.module.css'
import { Amount } from '../../amount/Amount.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { useForm } from './useForm.ts'

/** Shows why the button is disabled, or how long the quote is valid. */
export function ConvertStatus({ id, view, obstacle, nextClaimAt, onRenew }: ConvertStatus.Props) {
  return (
    <div className={styles['status']}>
      <p id={id}>
        {obstacle ?? ('secondsLeft' in view && <span role="timer">Quote valid for {view.secondsLeft} s</span>)}
        {nextClaimAt !== undefined && (
          <>
            {' '}
            You can claim again at <time dateTime={nextClaimAt}>{new Date(nextClaimAt).toLocaleString()}</time>.
          </>
        )}
      </p>
      <LastConversion />
      {view.status === 'expired' && (
        <Button
          size="small"
          isBusy={view.isFetching}
          onClick={() => {
            onRenew()
            void view.renew()
          }}
        >
          Renew
        </Button>
      )}
    </div>
  )
}

export declare namespace ConvertStatus {
  type Props = {
    readonly id: string
    readonly view: QuoteView
    readonly obstacle: string | undefined
    /** When the faucet gives a wallet that lacks tokens more, if it does not do so now. */
    readonly nextClaimAt: string | undefined
    /** Called when the user renews the quote, which removes the button. */
    readonly onRenew: () => void
  }
}

/** Links to the conversion that this tab has started or follows. On a narrow page, it is below the form. */
function LastConversion() {
  const hasStarted = useConversions(({ conversions }) =>
    conversions.some(({ phase, hasRun }) => phase === 'running' || phase === 'following' || hasRun),
  )
  return hasStarted ? <a href={`#${conversionsId}`}>Show the conversion</a> : null
}

/** Shows a price that is worse than the accepted limit. The user must accept it before converting. */
export function PriceChangeNotice({ change: { mode, symbol, from, to }, onAccept }: PriceChangeNotice.Props) {
  return (
    <Notice
      tone="warning"
      title="Price changed"
      actions={
        <Button variant="primary" onClick={onAccept}>
          Accept new price
        </Button>
      }
    >
      {mode === 'exact-in' ? 'You receive ' : 'You pay '}
      <strong>
        <Amount value={to} symbol={symbol} />
      </strong>{' '}
      now, instead of <Amount value={from} symbol={symbol} />.
    </Notice>
  )
}

export declare namespace PriceChangeNotice {
  type Props = { readonly change: PriceChange; readonly onAccept: () => void }
}

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
