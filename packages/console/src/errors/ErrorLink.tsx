import { servicePath } from '../settings/settings.ts'

/** Shows the code of an error. Codes of the service link to their documentation. */
export function ErrorLink({ code }: { readonly code: string }) {
  if (!code.startsWith(prefix)) return <code>{code}</code>
  return (
    <a href={`${servicePath}/docs/errors#${code.slice(prefix.length)}`} target="_blank" rel="noreferrer">
      <code>{code}</code>
    </a>
  )
}

const prefix = 'svc/'
