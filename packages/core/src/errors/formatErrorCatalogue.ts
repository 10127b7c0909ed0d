import type { CatalogueEntry } from './catalogue/CatalogueEntry.ts'
import { errorCatalogue, errorClasses, errorCodes, permitRefusals, priceRefusals } from './errorCatalogue.ts'

const actions: Record<CatalogueEntry['action'], string> = {
  fix_input: 'Correct the request. The same request fails again',
  requote: 'Request a new quote or preview, and continue with it',
  wait: 'Wait, for `retryAfterSeconds` if the error has it, and send the request again',
  retry: 'Send the same request again, after a moment',
  fund: 'Send the missing tokens or gas to the wallet. `required` and `current` say how much',
  approve: 'Follow a new plan (`approval/plan`): approve the spender, or sign again',
}

/** Returns the error catalogue as Markdown: the content of docs/reference/errors.md. */
export function formatErrorCatalogue(): string {
  const rows = errorCodes.map((code) => {
    const { status, title, retryable, action, ...entry } = errorCatalogue[code]
    const optional: readonly string[] = 'optional' in entry ? entry.optional : []
    const carries = entry.details.map((field) => `\`${field}\`${optional.includes(field) ? '?' : ''}`).join(', ')
    return `| <a id="${code.slice('svc/'.length)}"></a>\`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} | \`${action}\` | ${entry.class} | ${carries} |`
  })
  return `<!-- Generated from packages/core/src/errors/catalogue/ by \`pnpm generate\`. Do not edit. -->

# Errors

Every error has one code, which is the same over REST and tRPC: \`code\` of the envelope over REST, and \`error.data.code\` over
tRPC. Match codes: messages may change. [The guide](../guide/errors.md) shows an error, and what to do after a failed
broadcast or above a limit.

## Fields

| Field | Meaning |
| --- | --- |
| \`code\`, \`type\` | The code, and the path of its documentation |
| \`error\` | The code and a message for developers |
| \`retryable\` | Whether the same request can succeed later: "Retry" below |
| \`action\` | What to do next: see [actions](#actions) |
| \`requestId\` | The id of the request, also in the header \`X-Request-Id\`. Name it to the operator, whose log contains it |
| \`traceId\` | The id of the trace of the request. Absent unless the operator [traces](../operate/traces.md) the request |
| others | The values of the code, such as the largest amount: "Fields" of each [code](#codes) |

## Actions

A newer service may return a code that your client does not know. Then use its action.

| \`action\` | What to do |
| --- | --- |
${Object.entries(actions)
  .map(([action, meaning]) => `| \`${action}\` | ${meaning} |`)
  .join('\n')}

## Classes

The exit code of the [\`agio\` command](../develop/command.md) is the class of the error. Other errors have the exit code 1.

| Class | Exit code | Meaning |
| --- | --- | --- |
${Object.entries(errorClasses)
  .map(([name, { exitCode, meaning }]) => `| \`${name}\` | ${exitCode} | ${meaning} |`)
  .join('\n')}

## Codes

"Next" is the action. "Fields" lists the fields that only this code has. A "?" marks a field that is omitted if its value is
unknown, for example when a pool reverts with a message and no values. Only broadcasts have a \`transactionHash\`: see
[after a failed broadcast](../guide/errors.md#after-a-failed-broadcast).

| Code | Status | Meaning | Retry | Next | Class | Fields |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## Reasons of a refused price

The \`reason\` of \`svc/stale-price\`. For each of them, wait:

| Reason | Meaning |
| --- | --- |
${formatReasons(priceRefusals)}

## Reasons of a refused permit

The \`reason\` of \`svc/invalid-permit\`:

| Reason | Meaning |
| --- | --- |
${formatReasons(permitRefusals)}
`
}

function formatReasons(reasons: Readonly<Record<string, string>>): string {
  return Object.entries(reasons)
    .map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`)
    .join('\n')
}
