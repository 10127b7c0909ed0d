import { formatDuration } from './formatDuration.ts'
import { useNow } from './useNow.ts'

/** How long ago a time was, counting on; the time itself on hover. */
export function Age({ at }: { readonly at: string }) {
  const seconds = (useNow() - Date.parse(at)) / 1000
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {formatDuration(seconds)} ago
    </time>
  )
}
