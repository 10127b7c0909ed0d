import { explainSkipped, listRows, toStepStatus, toStepTitle } from '@agio/react/internal'
import type { Step } from '@agio/sdk'
import { useServiceNow } from '../../service/useServiceNow.ts'
import { type Network } from '../../settings/settings.ts'
import { toExplorerUrl } from '../../settings/toExplorerUrl.ts'
import { formatDuration } from '../../time/formatDuration.ts'
import { Address } from '../../ui/Address.tsx'
import { classes } from '../../ui/classes.ts'
import { CheckIcon, CloseIcon, WaitIcon } from '../../ui/icons.tsx'
import type { PageConversion } from './conversions.ts'
import styles from './conversions.module.css'

/** Lists the steps of a conversion with their progress. */
export function StepList({ conversion, network }: StepList.Props) {
  const rows = listRows(conversion.steps)
  const { phase } = conversion
  if (rows.length === 0) return null
  return (
    <ol className={styles['steps']}>
      {rows.map(({ key, step }, index) => {
        const isLast = index === rows.length - 1
        const isShown = step.transactionHash !== rows[index - 1]?.step.transactionHash
        return (
          <StepItem
            key={key}
            step={step}
            isOver={!isLast || phase === 'idle' || (phase === 'following' && step.status === 'waiting-for-wallet')}
            network={network}
            hash={isShown ? step.transactionHash : undefined}
          />
        )
      })}
    </ol>
  )
}

export declare namespace StepList {
  type Props = { readonly conversion: PageConversion; readonly network: Network | undefined }
}

function StepItem({ step, isOver, network, hash }: StepItemProps) {
  const networkName = network?.name ?? 'the network of the quote'
  const skipped = explainSkipped(step)
  return (
    <li className={styles['step']} data-mark={toMark(step, isOver)} aria-current={isOver ? undefined : 'step'}>
      <span className={styles['mark']}>{marks[toMark(step, isOver)]}</span>
      <div className={styles['text']}>
        <span className={styles['title']}>{toStepTitle(step, networkName)}</span>
        <span className={styles['status']}>{toStepStatus(step, { isOver })}</span>
      </div>
      {skipped !== undefined && <p className={classes('note', styles['detail'])}>{skipped}</p>}
      {hash !== undefined && (
        <p className={classes('note', styles['detail'])}>
          <Address
            value={hash}
            label="the hash of the transaction"
            href={network && toExplorerUrl(network, 'tx', hash)}
          />
        </p>
      )}
      {!isOver && step.status === 'waiting-for-wallet' && <WalletHint step={step} />}
    </li>
  )
}

type StepItemProps = {
  readonly step: Step
  readonly isOver: boolean
  readonly network: Network | undefined
  readonly hash: string | undefined
}

/** Tells the user what to do while the wallet prompts, and how long the quote is valid. */
function WalletHint({ step }: { readonly step: Step }) {
  const seconds = Math.ceil((Date.parse(step.state.quote.expiresAt) - useServiceNow()) / 1000)
  const isSending = step.kind === 'convert' || step.kind === 'batch'
  if (seconds > 0) {
    return (
      <p className={classes('note', styles['detail'])}>
        Your wallet is waiting for you. The quote is valid for <strong>{formatDuration(seconds)}</strong>.
      </p>
    )
  }
  return (
    <p className={classes('note', styles['detail'])}>
      {isSending
        ? 'The quote has expired. Reject the request in your wallet and try again. If you confirm now, the transaction reverts and costs gas.'
        : 'The quote has expired. It is renewed within your limit after you respond.'}
    </p>
  )
}

type Mark = 'done' | 'failed' | 'active' | 'past'

function toMark({ status }: Step, isOver: boolean): Mark {
  if (status === 'failed') return 'failed'
  if (status === 'done' || (status === 'sent' && isOver)) return 'done'
  return isOver || status === 'skipped' ? 'past' : 'active'
}

const marks = { done: <CheckIcon />, failed: <CloseIcon />, active: <WaitIcon />, past: '–' } as const
