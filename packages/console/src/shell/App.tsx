import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, lazy, useEffect, useRef } from 'react'
import { WagmiProvider } from 'wagmi'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { queryClient } from '../service/trpc.ts'
import { servicePath } from '../settings/settings.ts'
import { ErrorBoundary, NetworkNotice } from './ErrorBoundary.tsx'
import { Header } from './Header.tsx'
import { areas, findPage, prefetchPages, redirects } from './pages.ts'
import styles from './shell.module.css'
import { Skeleton } from '../ui/Skeleton.tsx'
import { usePrompts } from '../wallet/testWallet/prompts.ts'
import { wagmiConfig } from '../wallet/wagmi.ts'

const TestWalletDialog = lazy(async () => ({
  default: (await import('../wallet/testWallet/TestWalletDialog.tsx')).TestWalletDialog,
}))

/** The console: the header and the page of the URL. */
export function App() {
  return (
    <WagmiProvider config={wagmiConfig}>
      <QueryClientProvider client={queryClient}>
        <Router base={`${servicePath}/console`}>
          <a href="#main" className={styles['skip']}>
            Skip to content
          </a>
          <Header />
          <NetworkNotice />
          <Main />
          <TestWalletPrompts />
        </Router>
      </QueryClientProvider>
    </WagmiProvider>
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
  const shownPath = useRef(path)
  const title = findPage(path).page?.title ?? 'Page not found'
  useEffect(() => {
    document.title = `${title} · Agio`
    // Screen readers start at the top of a new page.
    if (shownPath.current !== path) main.current?.focus({ preventScroll: true })
    shownPath.current = path
  }, [path, title])
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
