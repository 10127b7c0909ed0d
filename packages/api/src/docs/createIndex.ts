import type { OpenApiDocument } from '../openapi/createOpenApiDocument.ts'

/** Returns the response of `/` and `/api/v1`: the version, links to the documentation, and all operations. */
export function createIndex({ info, paths }: OpenApiDocument): Index {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary }]) => ({ method: method.toUpperCase(), path, summary })),
  )
  return {
    name: info.title,
    version: info.version,
    documentation: '/docs',
    openapi: '/openapi.json',
    errors: '/docs/errors',
    health: '/health',
    trpc: '/trpc',
    operations,
  }
}

type Index = Readonly<
  Record<'name' | 'version' | 'documentation' | 'openapi' | 'errors' | 'health' | 'trpc', string>
> & {
  readonly operations: readonly { readonly method: string; readonly path: string; readonly summary: string }[]
}
