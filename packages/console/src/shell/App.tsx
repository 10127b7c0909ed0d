import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { AgioProvider, findAgioError, useAgio } from '@agio/react/internal'
import { Component, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { WagmiProvider } from 'wagmi'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { type Console, ConsoleProvider } from '../settings/console.ts'
import { ConversionNews } from '../convert/conversions/ConversionNews.tsx'
import { useHealth } from '../service/useHealth.ts'
import { type NetworkFault, useNetworkFault } from '../service/useNetworkFault.ts'
import { useSession } from '../session/session.ts'
import { useNetwork } from '../settings/network.ts'
import { Header } from './Header.tsx'
import { areas, findPage, PageLoadError, prefetchPages, redirects } from './pages.ts'
import styles from './shell.module.css'
import { RetryTimer } from '../time/Age.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Panel.tsx'
import { usePrompts } from '../wallet/testWallet/prompts.ts'

const TestWalletDialog = lazy(async () => ({
  default: (await import('../wallet/testWallet/TestWalletDialog.tsx')).TestWalletDialog,
}))

/** The console: the header and the page of the URL. */
export function App({ console }: { readonly console: Console }) {
  const { settings, agioOptions, queryClient, wagmiConfig } = console
  return (
    <ConsoleProvider value={console}>
      <AgioProvider {...agioOptions}>
        <WagmiProvider config={wagmiConfig}>
          <QueryClientProvider client={queryClient}>
            <Router base={`${settings.servicePath}/console`}>
              <a href="#main" className="skip">
                Skip to content
              </a>
              <Header />
              <NetworkNotice />
              <Main />
              <ConversionNews />
              <TestWalletPrompts />
            </Router>
          </QueryClientProvider>
        </WagmiProvider>
      </AgioProvider>
    </ConsoleProvider>
  )
}

/** Loads the other pages once the user does something, because the first view does not need them. */
function usePrefetch(): void {
  useEffect(() => {
    const inputs = ['pointermove', 'pointerdown', 'keydown'] as const
    const stop = () => inputs.forEach((input) => window.removeEventListener(input, start))
    const start = () => {
      stop()
      void Promise.allSettled([prefetchPages(), import('./CommandMenu.tsx')])
    }
    for (const input of inputs) window.addEventListener(input, start, { passive: true })
    return stop
  }, [])
}

/** The dialog of the test wallet, loaded with its first prompt. */
function TestWalletPrompts() {
  const isAsking = usePrompts(({ prompts }) => prompts.length > 0)
  return <Suspense>{isAsking && <TestWalletDialog />}</Suspense>
}

function Main() {
  usePrefetch()
  const [path] = useLocation()
  const main = useRef<HTMLElement>(null)
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  const isOperator = useSession(({ adminKey }) => adminKey !== '')
  const place = `${path} ${hasKey} ${isOperator}`
  const shownPlace = useRef(place)
  const title = findPage(path).page?.title ?? 'Page not found'
  useEffect(() => {
    document.title = `${title} · Agio`
    // The keyboard and screen readers start at the top of a new page. A key replaces the content of a page, too.
    if (shownPlace.current !== place) main.current?.focus({ preventScroll: true })
    shownPlace.current = place
  }, [place, title])
  return (
    <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
      <ErrorBoundary key={path}>
        <Suspense fallback={<Skeleton width="12rem" label="Loading the page" />}>
          <Switch>
            {areas
              .flatMap(({ pages }) => pages)
              .map(({ path: route, pattern = route, Page }) => (
                <Route key={route} path={pattern}>
                  <Page />
                </Route>
              ))}
            {Object.entries(redirects).map(([from, to]) => (
              <Route key={from} path={from}>
                <Redirect to={to} replace />
              </Route>
            ))}
            <Route>
              <h1>Page not found</h1>
              <p>Use the navigation above to open a page.</p>
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </main>
  )
}

/** Shows a notice instead of a page that has failed. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
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
function NetworkNotice() {
  const queryClient = useQueryClient()
  const { network } = useNetwork()
  const fault = useNetworkFault(network.chainId)
  const isReachable = fault === undefined
  const { polls } = useAgio()
  useEffect(() => {
    if (!isReachable) return
    void queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state }) => isDue(state.error, state.errorUpdatedAt),
    })
    polls.refresh(({ error, failedAt }) => isDue(error, failedAt))
  }, [isReachable, polls, queryClient])
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
function isDue(error: unknown, failedAt = 0): boolean {
  const { retryable = true, retryAfterSeconds = 0 } = findAgioError(error) ?? {}
  return (error ?? undefined) !== undefined && retryable && Date.now() >= failedAt + retryAfterSeconds * 1000
}

function toTitle({ kind }: NetworkFault, network: string): string {
  if (kind === 'service') return 'Can’t reach the service'
  return kind === 'network' ? `Can’t reach ${network}` : `${network} has no new blocks`
}
