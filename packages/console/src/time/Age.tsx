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
