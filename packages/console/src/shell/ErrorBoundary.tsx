import { findAgioError } from '@agio/react/internal'
import { Component, type ReactNode, useEffect, useState } from 'react'
import { queryClient } from '../service/trpc.ts'
import { useHealth } from '../service/useHealth.ts'
import { type NetworkFault, useNetworkFault } from '../service/useNetworkFault.ts'
import { useNetwork } from '../settings/network.ts'
import { PageLoadError } from './pages.ts'
import styles from './shell.module.css'
import { RetryTimer } from '../time/RetryTimer.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Shows a notice instead of a page that has failed. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {}

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    if (error instanceof PageLoadError) return <Unloaded />
    return (
      <Notice
        tone="danger"
        title="This page has failed"
        actions={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        {error.message}
      </Notice>
    )
  }
}

// If the service has no such files, the page must not reload in a loop.
const minPageAgeMs = 10_000

/** Says that the page could not be loaded, and loads it once the service answers again. */
function Unloaded() {
  const [failedAt] = useState(() => Date.now())
  const { dataUpdatedAt } = useHealth()
  useEffect(() => {
    if (dataUpdatedAt > failedAt && performance.now() > minPageAgeMs) location.reload()
  }, [dataUpdatedAt, failedAt])
  return (
    <Notice
      tone="warning"
      title={navigator.onLine ? 'This page could not be loaded' : 'You are offline'}
      actions={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      It is loaded again once the service can be reached.
    </Notice>
  )
}

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
