import { findAgioError } from '@agio/react/internal'
import { useEffect } from 'react'
import { queryClient } from '../service/trpc.ts'
import { useNetworkFault, type NetworkFault } from '../service/useNetworkFault.ts'
import { useNetwork } from '../settings/network.ts'
import { RetryTimer } from '../time/RetryTimer.tsx'
import { Notice } from '../ui/Notice.tsx'
import styles from './shell.module.css'

/**
 * Says on every page why the network cannot be used, and when the page retries. Once it can be used again, requests that have
 * failed are repeated.
 */
export function NetworkNotice() {
  const { network } = useNetwork()
  const fault = useNetworkFault(network.chainId)
  const isReachable = fault === undefined
  useEffect(() => {
    if (isReachable) void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isDue(state) })
  }, [isReachable])
  if (!fault) return null
  return (
    <div className={styles['notice']}>
      <Notice tone="warning" title={toTitle(fault, network.name)}>
        <RetryTimer at={fault.retryAt} />
      </Notice>
    </div>
  )
}

/** Returns whether a request has failed and may be repeated now, without using up the rate of the key. */
function isDue({ error, errorUpdatedAt }: { readonly error: unknown; readonly errorUpdatedAt: number }): boolean {
  const { retryable = true, retryAfterSeconds = 0 } = findAgioError(error) ?? {}
  return error !== null && retryable && Date.now() >= errorUpdatedAt + retryAfterSeconds * 1000
}

function toTitle({ kind }: NetworkFault, network: string): string {
  if (kind === 'service') return 'Can’t reach the service'
  return kind === 'network' ? `Can’t reach ${network}` : `${network} has no new blocks`
}
