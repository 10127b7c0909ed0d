import { isInChain, nameFinality, toConversionTitle, toOutlook, type Outlook } from '@agio/react/internal'
import type { Step } from '@agio/sdk'
import { useId, useState } from 'react'
import { useFinality } from '../../service/useFinality.ts'
import styles from './ConversionCard.module.css'
import { ConversionOutlook } from './ConversionOutlook.tsx'
import { StepList } from './StepList.tsx'
import type { PageConversion } from './conversions.ts'
import { toBadge } from './toBadge.ts'
import { settings } from '../../settings/settings.ts'
import { Age } from '../../time/Age.tsx'
import { Badge } from '../../ui/Badge.tsx'

/** Shows a conversion: its state, its steps, and the actions of the user. */
export function ConversionCard({ conversion }: { readonly conversion: PageConversion }) {
  const id = useId()
  const outlook = toOutlook(conversion)
  const { quote, steps } = conversion
  const finality = useFinalityOf(steps.at(-1), outlook)
  const { text, tone } = toBadge(outlook, finality)
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
          {finality && isInChain(finality) && ` · ${nameFinality(finality)}`}
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
      <ConversionOutlook conversion={conversion} outlook={outlook} isRemoved={!isInChain(finality)} />
    </article>
  )
}

// Chains do not remove older blocks.
const followedMs = 3_600_000

/** Follows the receipt of a conversion that is done to its finality. */
function useFinalityOf(step: Step | undefined, outlook: Outlook) {
  const [openedAt] = useState(() => Date.now())
  const isFollowed = step && outlook.kind === 'done' && openedAt - Date.parse(step.at) < followedMs
  const { finality } = useFinality(
    isFollowed ? { chainId: step.state.chainId, transactionHash: outlook.receipt.transactionHash } : undefined,
  )
  return finality
}
