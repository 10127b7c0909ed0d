import { ErrorLink } from '../../errors/ErrorLink.tsx'

/** Shows the effect on callers. Error codes link to their documentation. */
export function Effect({ text }: { readonly text: string }) {
  return text.split(/(svc\/[a-z-]+|`[^`]+`)/).map((part, index) => {
    const key = `${index} ${part}`
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
    return part.startsWith('svc/') ? <ErrorLink key={key} code={part} /> : part
  })
}
