import { Hono } from 'hono'
import { createOpenApiDocument, type OpenApiDocument } from '../openapi/createOpenApiDocument.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { renderErrorsPage } from './renderErrorsPage.ts'

// The pages load nothing from other origins.
const contentSecurityPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:"

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

/** Creates the routes of the index, the OpenAPI document, its reference page and the error catalogue; none needs a key. */
export function docsRoutes({ readDocsScript, local }: Pick<AppSettings, 'readDocsScript' | 'local'>): Hono {
  const openApi = createOpenApiDocument()
  const document = JSON.stringify(openApi)
  const index = createIndex(openApi)
  // Local stacks have a well-known key, with which the examples can be sent from the page.
  const referencePage = createReferencePage(local ? 'local-key' : '')
  let script: Promise<Uint8Array> | undefined
  const routes = new Hono()
  routes.use('/docs/*', async (c, next) => {
    await next()
    c.header('content-security-policy', contentSecurityPolicy)
  })
  routes.get('/', (c) => c.json(index))
  routes.get('/api/v1', (c) => c.json(index))
  routes.get('/openapi.json', (c) => c.body(document, 200, { 'content-type': 'application/json' }))
  routes.get('/docs', (c) => c.html(referencePage, 200, { 'content-security-policy': contentSecurityPolicy }))
  routes.get('/docs/errors', (c) => c.html(renderErrorsPage()))
  routes.get('/docs/reference.js', async (c) => {
    script ??= readDocsScript()
    const headers = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' }
    return c.body((await script) as Uint8Array<ArrayBuffer>, 200, headers)
  })
  return routes
}

/** Returns the response of `/` and `/api/v1`: the version, links to the documentation, and all operations. */
function createIndex({ info, paths }: OpenApiDocument): Index {
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
