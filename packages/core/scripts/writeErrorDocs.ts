// Writes docs/reference/errors.md from the catalogue. Run by `pnpm generate`.
import { mkdir, writeFile } from 'node:fs/promises'
import { formatErrorCatalogue } from '../src/errors/formatErrorCatalogue.ts'

const target = new URL('../../../docs/reference/errors.md', import.meta.url)

await mkdir(new URL('.', target), { recursive: true })
await writeFile(target, formatErrorCatalogue())
