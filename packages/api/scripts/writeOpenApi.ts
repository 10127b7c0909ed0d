// Writes openapi.json from the router. Run by `pnpm generate`.
import { writeFile } from 'node:fs/promises'
import { createOpenApiDocument } from '../src/openapi/createOpenApiDocument.ts'

const target = new URL('../../../openapi.json', import.meta.url)

await writeFile(target, `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`)
