// Writes docs/errors.md from the catalogue. Run by `pnpm generate`.
import { mkdir, writeFile } from 'node:fs/promises'
import { errorCatalogue, errorCodes } from '../src/errors/errorCatalogue.ts'

const target = new URL('../../../docs/errors.md', import.meta.url)

const rows = errorCodes.map((code) => {
  const { status, title, retryable, action, ...entry } = errorCatalogue[code]
  const optional: readonly string[] = 'optional' in entry ? entry.optional : []
  const carries = entry.details.map((field) => `\`${field}\`${optional.includes(field) ? '?' : ''}`).join(', ')
  return `| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} | \`${action}\` | ${carries} |`
})

const page = `<!-- Generated from packages/core/src/errors/errorCatalogue.ts by \`pnpm generate\`. Do not edit. -->

# Errors

Every failure has one code, the same over REST and tRPC. Over REST it is the \`code\` of the envelope, over tRPC it is
\`error.data.code\`. "Retry" says whether the same request can succeed later, "Next" what a caller should do. A "?" marks
what is left out where nobody tells it, as a pool that is not ours and refuses by a sentence.

| Code | Status | Meaning | Retry | Next | Carries |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`

await mkdir(new URL('.', target), { recursive: true })
await writeFile(target, page)
