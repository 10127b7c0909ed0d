import { useNow } from '@agio/react/internal'
import { formatDuration } from './formatDuration.ts'

/** Shows when the page retries by itself. Screen readers do not read it each second, unlike the notice around it. */
export function RetryTimer({ at }: { readonly at: number }) {
  const seconds = Math.max(1, Math.ceil((at - useNow()) / 1000))
  return (
    <p role="timer" aria-live="off">
      Retrying in {formatDuration(seconds)}…
    </p>
  )
}
