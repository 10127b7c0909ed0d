import { type Outlook, toConversionTitle, toFailure, toOutlook } from '@agio/react/internal'
import { useId } from 'react'
import { settings } from '../../settings/settings.ts'
import { Age } from '../../time/Age.tsx'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import styles from './ConversionCard.module.css'
import { ConversionOutlook } from './ConversionOutlook.tsx'
import type { PageConversion } from './conversions.ts'
import { StepList } from './StepList.tsx'

/** Shows a conversion: its state, its steps, and the actions of the user. */
export function ConversionCard({ conversion }: { readonly conversion: PageConversion }) {
  const id = useId()
  const outlook = toOutlook(conversion)
  const { text, tone } = toBadge(outlook)
  const { quote, steps } = conversion
  const network = settings.networks.find(({ chainId }) => chainId === quote.chainId)
  const at = steps.at(-1)?.at
  return (
    <article className={styles['card']} aria-labelledby={id}>
      <header className={styles['header']}>
        <h3 id={id}>{toConversionTitle(quote)}</h3>
        <Badge tone={tone}>{text}</Badge>
        <p className={styles['facts']}>
          {network?.name ?? `Chain ${quote.chainId}`}
          {at !== undefined && (
            <>
              {' · '}
              <Age at={at} />
            </>
          )}
        </p>
      </header>
      {outlook.kind === 'done' ? (
        <details className={styles['steps']}>
          <summary>Steps</summary>
          <StepList conversion={conversion} network={network} />
        </details>
      ) : (
        <StepList conversion={conversion} network={network} />
      )}
      <ConversionOutlook conversion={conversion} outlook={outlook} />
    </article>
  )
}

type StateBadge = { readonly text: string; readonly tone: Tone }

function toBadge(outlook: Outlook): StateBadge {
  if (outlook.kind === 'running') {
    return outlook.isAsking
      ? { text: 'Confirm in your wallet', tone: 'warning' }
      : { text: 'In progress', tone: 'accent' }
  }
  if (outlook.kind === 'following') return { text: outlook.isSent ? 'In progress' : 'Searching', tone: 'accent' }
  if (outlook.kind === 'paused') {
    return outlook.isSettled ? { text: 'Paused', tone: 'neutral' } : { text: 'May have been sent', tone: 'warning' }
  }
  return outlook.kind === 'failed' ? toFailureBadge(outlook) : badges[outlook.kind]
}

const badges = {
  elsewhere: { text: 'In another tab', tone: 'neutral' },
  done: { text: 'Done', tone: 'positive' },
} as const satisfies Readonly<Record<string, StateBadge>>

function toFailureBadge({ code, next, error }: Extract<Outlook, { kind: 'failed' }>): StateBadge {
  if (next === 'resume') return { text: 'May have been sent', tone: 'warning' }
  if (code === 'svc/below-min-target' || code === 'svc/above-max-input')
    return { text: 'Price changed', tone: 'warning' }
  if (code === 'wallet/rejected') return { text: 'Rejected', tone: 'neutral' }
  if (code === 'convert/replaced' && toFailure(error).details['kind'] === 'cancel')
    return { text: 'Cancelled', tone: 'neutral' }
  if (code === 'convert/aborted') return { text: 'Stopped', tone: 'neutral' }
  return { text: 'Failed', tone: 'danger' }
}
