import { isInChain, nameFinality, toConversionTitle, toOutlook } from '@agio/react/internal'
import { useId } from 'react'
import { useSettings } from '../../settings/console.ts'
import { Age } from '../../time/Age.tsx'
import { Badge } from '../../ui/Notice.tsx'
import { Button } from '../../ui/Button.tsx'
import styles from './conversions.module.css'
import { type PageConversion, toCardId, useFinalityOf, useShownConversion } from './conversions.ts'
import { ConversionOutlook } from './ConversionOutlook.tsx'
import { toBadge } from './toBadge.ts'
import { StepList } from './StepList.tsx'

/** Shows a conversion: its state, its steps, and the actions of the user. */
export function ConversionCard({ conversion }: { readonly conversion: PageConversion }) {
  const settings = useSettings()
  const id = useId()
  const outlook = toOutlook(conversion)
  const { quote, steps } = conversion
  const finality = useFinalityOf(steps.at(-1), outlook)
  const { text, tone } = toBadge(outlook, finality)
  const network = settings.networks.find(({ chainId }) => chainId === quote.chainId)
  const at = steps.at(-1)?.at
  const shown = useShownConversion()
  return (
    <article id={toCardId(conversion.id)} className={styles['card']} aria-labelledby={id}>
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
        <details className={styles['past']}>
          <summary>Steps</summary>
          <StepList conversion={conversion} network={network} />
        </details>
      ) : (
        <StepList conversion={conversion} network={network} />
      )}
      <ConversionOutlook conversion={conversion} outlook={outlook} isRemoved={!isInChain(finality)} />
      {shown.id === conversion.id && conversion.phase !== 'running' && (
        <Button className={styles['again']} onClick={() => shown.show(undefined)}>
          Convert again
        </Button>
      )}
    </article>
  )
}
