/** The code of an error, with a link to its documentation if it is one of the service. */
export function ErrorLink({ code }: { readonly code: string }) {
  if (!code.startsWith(prefix)) return <code>{code}</code>
  return (
    <a href={`/docs/errors#${code.slice(prefix.length)}`} target="_blank" rel="noreferrer">
      <code>{code}</code>
    </a>
  )
}

const prefix = 'svc/'
