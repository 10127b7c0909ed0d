import type { QuoteView } from '@agio/react/internal'
import { conversionsId } from '../conversions/ConversionList.tsx'
import { useConversions } from '../conversions/conversions.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './ConvertStatus.module.css'

/** Shows why the button is disabled, or how long the quote is valid. */
export function ConvertStatus({ id, view, obstacle, onRenew }: ConvertStatus.Props) {
  return (
    <div className={styles['status']}>
      <p id={id}>
        {obstacle ?? ('secondsLeft' in view && <span role="timer">Quote valid for {view.secondsLeft} s</span>)}
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
