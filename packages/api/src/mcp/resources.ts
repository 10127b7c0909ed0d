import { errorCatalogue, Errors, type ErrorCode } from '@agio/core'
import type { Context } from '../procedure/Context.ts'

const json = 'application/json'

/** A resource as `resources/list` describes it. */
export type ResourceDescription = Readonly<Record<'uri' | 'name' | 'description' | 'mimeType', string>>

/** The resources with an address of their own. */
export function listResources(chains: Context['chains']): readonly ResourceDescription[] {
  const guide = {
    uri: 'agio://guide/convert',
    name: 'How to convert',
    description: 'The calls of a conversion, in order',
  }
  const deployments = Object.values(chains).map((chain) => ({
    uri: `agio://deployments/${chain.chainId}`,
    name: `Contracts on ${chain.name}`,
    description: 'Router, pools and oracles',
    mimeType: json,
  }))
  return [{ ...guide, mimeType: 'text/markdown' }, ...deployments]
}

/** The resources with a part that varies. */
export const resourceTemplates = [
  {
    uriTemplate: 'agio://errors/{code}',
    name: 'Errors',
    description: 'The meaning of an error code, and what to do. `all` lists the codes',
    mimeType: json,
  },
] as const

/** Returns the content of a resource. @throws `svc/not-found` */
export function readResource(
  uri: string,
  chains: Context['chains'],
): { readonly mimeType: string; readonly text: string } {
  if (uri === 'agio://guide/convert') return { mimeType: 'text/markdown', text: convertGuide }
  const [, kind, name = ''] = /^agio:\/\/(errors|deployments)\/([\w-]{1,100})$/.exec(uri) ?? []
  if (kind === 'errors') return toJson(readError(name, uri))
  const chain = Object.values(chains).find((each) => String(each.chainId) === name)
  if (kind === 'deployments' && chain) return toJson(chain.deployment)
  throw missing(uri)
}

function readError(name: string, uri: string): object {
  if (name === 'all') return { codes: Object.keys(errorCatalogue) }
  const code = `svc/${name}`
  if (!Object.hasOwn(errorCatalogue, code)) throw missing(uri)
  return { code, ...errorCatalogue[code as ErrorCode] }
}

function toJson(value: object) {
  return { mimeType: json, text: JSON.stringify(value) }
}

function missing(uri: string) {
  return Errors.notFound({
    action: `find the resource ${JSON.stringify(uri.slice(0, 100))}`,
    reason: 'no resource has this address',
  })
}

const convertGuide = `# How to convert

1. \`list_networks\` once: it has the addresses of the tokens. Addresses decide, never symbols.
2. \`quote_conversion\` with the account of the user. Show the amounts. The terms hold for a minute.
3. \`build_conversion\` with the quote. Compare \`terms\`, which are read from the calldata, with what the user wants: amounts,
   recipient, spender, deadline.
4. Pass \`calls\` to the wallet (\`wallet_sendCalls\`), or sign the transaction and call \`broadcast_signed\`.
5. \`track_transaction\` until it is safe or finalized. \`explain_receipt\` says what was paid and received.

Rules:

- Sign once. If an answer after signing is lost, track the hash, or broadcast the same bytes again. Never build again until the
  first transaction has ended as failed, replaced or dropped.
- An expired quote is refused with the old and the new terms. Ask the user before accepting new terms.
- \`retryable\` and \`action\` of an error say what to do. \`correctedInput\` has the fields that would work.
- \`issues\` lists what is missing, such as a balance or an allowance. \`calls\` already contain the approval.
`
