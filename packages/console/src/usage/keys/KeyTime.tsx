/** A date in the zone of the browser, with its time if it matters; the whole of it in UTC on hover. */
export function KeyTime({ at, hasTime = false }: { readonly at: string; readonly hasTime?: boolean }) {
  const timeStyle = hasTime ? ('short' as const) : undefined
  return (
    <time dateTime={at} title={at}>
      {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle })}
    </time>
  )
}
