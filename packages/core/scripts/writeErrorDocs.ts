// Writes docs/reference/errors.md from the catalogue. Run by `pnpm generate`.
import { mkdir, writeFile } from 'node:fs/promises'
import { errorCatalogue, errorCodes, permitRefusals } from '../src/errors/errorCatalogue.ts'

const target = new URL('../../../docs/reference/errors.md', import.meta.url)

const rows = errorCodes.map((code) => {
  const { status, title, retryable, action, ...entry } = errorCatalogue[code]
  const optional: readonly string[] = 'optional' in entry ? entry.optional : []
  const carries = entry.details.map((field) => `\`${field}\`${optional.includes(field) ? '?' : ''}`).join(', ')
  return `| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} | \`${action}\` | ${carries} |`
})

const refusals = Object.entries(permitRefusals).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`)

const page = `<!-- Generated from packages/core/src/errors/catalogue/ by \`pnpm generate\`. Do not edit. -->

# Errors

Every error has one code, which is the same over REST and tRPC. REST returns it as \`code\` of the envelope, tRPC as
\`error.data.code\`. "Retry" says whether the same request can succeed later. "Next" says what the caller should do. A "?" marks
a field that is omitted if its value is unknown, for example when a pool reverts with a message and no values. Only broadcasts
have a \`transactionHash\`. The transaction may be mined despite the error, and broadcasting the same bytes again is safe.

| Code | Status | Meaning | Retry | Next | Carries |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

The \`reason\` of \`svc/invalid-permit\`:

| Reason | Meaning |
| --- | --- |
${refusals.join('\n')}
`

await mkdir(new URL('.', target), { recursive: true })
await writeFile(target, page)
