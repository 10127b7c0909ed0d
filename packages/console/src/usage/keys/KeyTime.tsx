/** Shows a date in the time zone of the browser, optionally with the time. The full time in UTC is shown on hover. */
export function KeyTime({ at, hasTime = false }: { readonly at: string; readonly hasTime?: boolean }) {
  const timeStyle = hasTime ? ('short' as const) : undefined
  return (
    <time dateTime={at} title={at}>
      {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle })}
    </time>
  )
}
