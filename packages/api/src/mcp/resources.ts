import { errorCatalogue, Errors, type ErrorCode } from '@agio/core'
import { ProtocolError, ProtocolErrorCode, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import { toErrorBody } from '../errors/toErrorBody.ts'
import type { Context } from '../procedure/Context.ts'

const json = 'application/json'
const markdown = 'text/markdown'

/** Adds the resources of the service: how to convert, the contracts of each chain, and the meaning of each error. */
export function addResources(server: McpServer, chains: Context['chains']): void {
  const guide = { description: 'The calls of a conversion, in order', mimeType: markdown }
  server.registerResource('How to convert', 'agio://guide/convert', guide, ({ href: uri }) => ({
    contents: [{ uri, mimeType: markdown, text: convertGuide }],
  }))
  for (const { chainId, name, deployment } of Object.values(chains)) {
    const contracts = { description: 'Router, pools and oracles', mimeType: json }
    server.registerResource(`Contracts on ${name}`, `agio://deployments/${chainId}`, contracts, ({ href }) =>
      toJson(href, deployment),
    )
  }
  const errors = {
    description: 'The meaning of an error code, and what to do. `all` lists the codes',
    mimeType: json,
  }
  const template = new ResourceTemplate('agio://errors/{code}', { list: undefined })
  server.registerResource('Errors', template, errors, ({ href }, { code }) => toJson(href, readError(href, code)))
}

function readError(uri: string, name: string | readonly string[] | undefined): object {
  if (name === 'all') return { codes: Object.keys(errorCatalogue) }
  const code = `svc/${String(name)}`
  if (!Object.hasOwn(errorCatalogue, code)) throw missing(uri)
  return { code, ...errorCatalogue[code as ErrorCode] }
}

function toJson(uri: string, value: object) {
  return { contents: [{ uri, mimeType: json, text: JSON.stringify(value) }] }
}

function missing(uri: string) {
  const { message, code } = toErrorBody(
    Errors.notFound({
      action: `find the resource ${JSON.stringify(uri.slice(0, 100))}`,
      reason: 'no error has this code. Read agio://errors/all',
    }),
  )
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { uri, code })
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
