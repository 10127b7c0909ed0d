import type { OwnUsage } from '@agio/sdk'
import { ApiKeyForm } from '../../errors/ApiKeyForm.tsx'
import { switchApiKey } from '../../service/switchApiKey.ts'
import { useSession } from '../../session/session.ts'
import { settings } from '../../settings/settings.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Limits } from './Limits.tsx'
import styles from './CurrentKey.module.css'

/** Shows the remaining limits of the page's API key, or a field to enter a key. */
export function CurrentKey({ usage, isLoading }: CurrentKey.Props) {
  const apiKey = useSession((session) => session.apiKey)
  if (apiKey === '') {
    return (
      <Panel title="Key of this page">
        <p>
          Enter an API key to see its limits and calls. The key is kept until you close this tab, and is sent only to
          this service.
        </p>
        <ApiKeyForm />
        <LocalKeys apiKey={apiKey} />
      </Panel>
    )
  }
  const localKey = localKeys.find(([, key]) => key === apiKey)
  return (
    <Panel
      title="Key of this page"
      actions={
        <Button size="small" onClick={() => switchApiKey('')}>
          Forget the key
        </Button>
      }
    >
      <p className={styles['key']}>
        {localKey ? `Local key, ${localKey[0]}` : 'Entered in this tab'}
        {usage && <Badge>{usage.tier}</Badge>}
      </p>
      {usage && <Limits usage={usage} />}
      {!usage && isLoading && (
        <div className={styles['loading']}>
          <Skeleton width="16rem" label="Loading the limits of this key" />
        </div>
      )}
      <LocalKeys apiKey={apiKey} />
    </Panel>
  )
}

export declare namespace CurrentKey {
  type Props = {
    /** Usage of the current month. Undefined while it is loading. */
    readonly usage: OwnUsage | undefined
    readonly isLoading: boolean
  }
}

/** The keys that every local stack has. */
const localKeys = [
  ['unlimited', settings.local?.apiKey],
  ['standard limits', settings.local?.standardKey],
] as const

/** Offers the other keys of a local stack. */
function LocalKeys({ apiKey }: { readonly apiKey: string }) {
  const offered = localKeys.filter(([, key]) => key !== undefined && key !== apiKey)
  if (offered.length === 0) return undefined
  return (
    <p className={styles['offer']}>
      {offered.map(([name, key = '']) => (
        <Button key={name} onClick={() => switchApiKey(key)}>
          Use the local key, {name}
        </Button>
      ))}
    </p>
  )
}
