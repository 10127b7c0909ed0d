import type { CatalogueEntry } from './catalogue/CatalogueEntry.ts'
import { errorCatalogue, errorCodes, permitRefusals } from './errorCatalogue.ts'

const actions: Record<CatalogueEntry['action'], string> = {
  fix_input: 'Correct the request. The same request will fail again',
  requote: 'Request a new quote or preview, and continue with it',
  wait: 'Wait, for `retryAfterSeconds` if the error has it, and send the request again',
  retry: 'Send the request again',
  fund: 'Send the missing tokens or gas to the wallet',
  approve: 'Approve the spender, or sign again',
}

/** Returns the error catalogue as Markdown: the content of docs/reference/errors.md. */
export function formatErrorCatalogue(): string {
  const rows = errorCodes.map((code) => {
    const { status, title, retryable, action, ...entry } = errorCatalogue[code]
    const optional: readonly string[] = 'optional' in entry ? entry.optional : []
    const carries = entry.details.map((field) => `\`${field}\`${optional.includes(field) ? '?' : ''}`).join(', ')
    return `| <a id="${code.slice('svc/'.length)}"></a>\`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} | \`${action}\` | ${carries} |`
  })
  const refusals = Object.entries(permitRefusals).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`)
  return `<!-- Generated from packages/core/src/errors/catalogue/ by \`pnpm generate\`. Do not edit. -->

# Errors

Every error has one code, which is the same over REST and tRPC: \`code\` of the envelope over REST, and \`error.data.code\` over
tRPC. Handle errors by their code, because messages may change.

\`\`\`json
{
  "success": false,
  "error": "svc/above-max-origin: Cannot convert 900000000.000000 tAUD: the limit is 767813.267813 tAUD",
  "code": "svc/above-max-origin",
  "type": "/docs/errors#above-max-origin",
  "retryable": false,
  "action": "fix_input",
  "amountIn": "900000000.000000",
  "maxAmountIn": "767813.267813",
  "requestId": "40e2e9ed-7932-4321-ac5e-c18ae21ccf1e"
}
\`\`\`

| Field | Meaning |
| --- | --- |
| \`code\`, \`type\` | The code, and the path of its documentation |
| \`error\` | The code and a message for people |
| \`retryable\` | Whether the same request can succeed later: "Retry" below |
| \`action\` | What to do next: "Next" below |
| \`requestId\` | The id of the request, which the log of the service contains |

| \`action\` | What to do |
| --- | --- |
${Object.entries(actions)
  .map(([action, meaning]) => `| \`${action}\` | ${meaning} |`)
  .join('\n')}

## Codes

"Fields" lists what an error has in addition. A "?" marks a field that is omitted if its value is unknown, for example when a pool
reverts with a message and no values. Only broadcasts have a \`transactionHash\`. The transaction may be mined despite the error,
and broadcasting the same bytes again is safe.

| Code | Status | Meaning | Retry | Next | Fields |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## Reasons of a refused permit

The \`reason\` of \`svc/invalid-permit\`:

| Reason | Meaning |
| --- | --- |
${refusals.join('\n')}
`
}
