import { Hono } from 'hono'
import { createDocumentLimiter } from '../admission/createDocumentLimiter.ts'
import type { HttpExchange } from '../exchange/HttpExchange.ts'
import type { OpenApiDocument } from '../openapi/createOpenApiDocument.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createDocument, type Document } from './createDocument.ts'
import { renderErrorsPage } from './renderErrorsPage.ts'

// The pages load nothing from other origins.
const contentSecurityPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'"

const pageHeaders = { 'content-security-policy': contentSecurityPolicy }

const maxAgeSeconds = 300

const createReferencePage = (apiKey: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agio API</title>
</head>
<body>
<div id="app"></div>
<script src="/docs/reference.js"></script>
<script>
Scalar.createApiReference('#app', {
  url: '/openapi.json',
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { value: '${apiKey}' } } },
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  mcp: { disabled: true },
  agent: { disabled: true },
})
</script>
</body>
</html>
`

/**
 * Creates the routes of the index, the OpenAPI document, its reference page and the error catalogue. The routes need no
 * key. Requests without a key are limited by address.
 */
export function docsRoutes(settings: docsRoutes.Settings): Hono<{ Bindings: Bindings }> {
  const limitDocuments = createDocumentLimiter(settings)
  const routes = new Hono<{ Bindings: Bindings }>()
  for (const [path, document] of Object.entries(createDocuments(settings))) {
    routes.get(path, async (c) => {
      await limitDocuments(c.env.exchange)
      return await document(c.req.raw.headers)
    })
  }
  return routes
}

export declare namespace docsRoutes {
  type Settings = createDocumentLimiter.Settings &
    Pick<AppSettings, 'readOpenApi' | 'readDocsScript' | 'local' | 'console'>
}

type Bindings = { readonly exchange: HttpExchange }

function createDocuments(settings: docsRoutes.Settings): Readonly<Record<string, Document>> {
  const { readDocsScript, local } = settings
  const readOpenApi = async () => JSON.parse(new TextDecoder().decode(await settings.readOpenApi())) as OpenApiDocument
  const index = createIndexDocument(readOpenApi, settings)
  return {
    '/': index,
    '/api/v1': index,
    '/openapi.json': json(readOpenApi),
    // A local stack has a well-known key, so that the page can send the examples.
    '/docs': page(createReferencePage(local ? 'local-key' : '')),
    '/docs/errors': page(renderErrorsPage()),
    '/docs/reference.js': createDocument({
      mediaType: 'text/javascript; charset=utf-8',
      maxAgeSeconds: 3600,
      headers: pageHeaders,
      read: readDocsScript,
    }),
  }
}

function json(readContent: () => Promise<object>): Document {
  const read = async () => new TextEncoder().encode(JSON.stringify(await readContent()))
  return createDocument({ mediaType: 'application/json', maxAgeSeconds, read })
}

function page(html: string): Document {
  const mediaType = 'text/html; charset=UTF-8'
  return createDocument({
    mediaType,
    maxAgeSeconds,
    headers: pageHeaders,
    read: async () => new TextEncoder().encode(html),
  })
}

/** Creates the document of `/` and `/api/v1`. It links to the console if the console is built. */
function createIndexDocument(
  readOpenApi: () => Promise<OpenApiDocument>,
  { console }: Pick<AppSettings, 'console'>,
): Document {
  const index = json(async () => createIndex(await readOpenApi()))
  if (!console) return index
  const indexWithConsole = json(async () => createIndex(await readOpenApi(), { console: '/console' }))
  return async (request) => {
    const page = await console.readFile('index.html')
    return await (page ? indexWithConsole : index)(request)
  }
}

/** Returns the content of `/` and `/api/v1`: the version, links to the documentation, and all operations. */
function createIndex({ info, paths }: OpenApiDocument, links: Pick<Index, 'console'> = {}): Index {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary }]) => ({ method: method.toUpperCase(), path, summary })),
  )
  return {
    name: info.title,
    version: info.version,
    ...links,
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
  readonly console?: string
  readonly operations: readonly { readonly method: string; readonly path: string; readonly summary: string }[]
}
