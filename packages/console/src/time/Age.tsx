import { useNow } from '@agio/react/internal'
import { formatDuration } from './formatDuration.ts'

/** Shows a running age. The time itself is shown on hover. */
export function Age({ at }: { readonly at: string }) {
  const seconds = (useNow() - Date.parse(at)) / 1000
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {formatDuration(seconds)} ago
    </time>
  )
}

/** Shows a date in the time zone of the browser, optionally with the time. The full time in UTC is shown on hover. */
export function KeyTime({ at, hasTime = false }: { readonly at: string; readonly hasTime?: boolean }) {
  const timeStyle = hasTime ? ('short' as const) : undefined
  return (
    <time dateTime={at} title={at}>
      {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle })}
    </time>
  )
}

/** Shows when the page retries by itself. Screen readers do not read it each second, unlike the notice around it. */
export function RetryTimer({ at }: { readonly at: number }) {
  const seconds = Math.max(1, Math.ceil((at - useNow()) / 1000))
  return (
    <p role="timer" aria-live="off">
      Retrying in {formatDuration(seconds)}…
    </p>
  )
}
