import { Component, useEffect, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PageLoadError } from './pages.ts'

/** Shows a notice instead of a page that has failed. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {}

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    if (error instanceof PageLoadError && !navigator.onLine) return <Offline />
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

/** Says that the page cannot be loaded now, and loads it once the browser is online. */
function Offline() {
  useEffect(() => {
    const reload = () => location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <Notice tone="warning" title="You are offline">
      This page is loaded once you are online again.
    </Notice>
  )
}
