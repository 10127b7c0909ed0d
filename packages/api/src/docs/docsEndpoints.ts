import { Errors } from '@agio/core'
import { Hono } from 'hono'
import { createDocumentLimiter } from '../admission/createDocumentLimiter.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { OpenApiDocument } from '../openapi/createOpenApiDocument.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createDocument, type Document } from './createDocument.ts'
import { createPostmanCollection } from './createPostmanCollection.ts'
import { createTokenList } from './createTokenList.ts'

const maxAgeSeconds = 300

/**
 * Creates the endpoints of the index, the OpenAPI document and the documentation. The endpoints need no key. Requests without a
 * key are limited by address.
 */
export function docsEndpoints(settings: docsEndpoints.Dependencies): Hono<{ Bindings: Bindings }> {
  const limitDocuments = createDocumentLimiter(settings)
  const openSite = createSiteOpener(settings)
  const endpoints = new Hono<{ Bindings: Bindings }>()
  for (const [path, document] of Object.entries(createDocuments(settings))) {
    endpoints.get(path, async (c) => {
      await limitDocuments(c.env.exchange)
      return await document(c.req.raw.headers)
    })
  }
  const createdAtMs = (settings.now ?? Date.now)()
  endpoints.get('/tokenlist.json', async (c) => {
    await limitDocuments(c.env.exchange)
    const { info } = await readDocument(settings)
    const list = await createTokenList(settings.chains, { version: info.version, createdAtMs })
    return c.json(list, 200, { 'cache-control': `public, max-age=${maxAgeSeconds}` })
  })
  for (const path of ['/docs/*', '/llms.txt']) {
    endpoints.get(path, async (c) => {
      const { exchange } = c.env
      await limitDocuments(exchange)
      const document = (await openSite()).get(exchange.path)
      if (!document) throw Errors.pathNotFound(exchange.path)
      return await document(c.req.raw.headers)
    })
  }
  return endpoints
}

export declare namespace docsEndpoints {
  type Dependencies = createDocumentLimiter.Dependencies &
    Pick<AppSettings, 'chains' | 'now' | 'readOpenApi' | 'publicUrl' | 'docs' | 'console'>
}

type Bindings = { readonly exchange: HttpExchange }

/** Creates a function that returns the documentation. The first call loads the renderer, and lists the files. */
function createSiteOpener(settings: docsEndpoints.Dependencies): () => Promise<ReadonlyMap<string, Document>> {
  let opened: Promise<ReadonlyMap<string, Document>> | undefined
  return async () => {
    opened ??= import('./createDocsSite.ts').then(({ createDocsSite }) => createDocsSite(settings))
    try {
      return await opened
    } catch (error) {
      opened = undefined
      throw error
    }
  }
}

async function readDocument({ readOpenApi, publicUrl }: ReadsDocument): Promise<OpenApiDocument> {
  const document = JSON.parse(new TextDecoder().decode(await readOpenApi())) as OpenApiDocument
  return publicUrl === undefined ? document : withUrl(document, publicUrl)
}

type ReadsDocument = Pick<AppSettings, 'readOpenApi' | 'publicUrl'>

function createDocuments(settings: docsEndpoints.Dependencies): Readonly<Record<string, Document>> {
  const readOpenApi = async () => await readDocument(settings)
  const index = createIndexDocument(readOpenApi, settings)
  return {
    '/': redirectBrowsers(index, settings),
    '/api/v1': index,
    '/openapi.json': json(readOpenApi),
    '/downloads/agio.postman.json': json(async () => createPostmanCollection(await readOpenApi())),
    '/.well-known/api-catalog': json(async () => apiCatalog, catalogMediaType),
  }
}

/** Returns the document of a service that clients reach at a URL. */
function withUrl({ info, ...document }: OpenApiDocument, url: string): OpenApiDocument {
  const description = info.description.replaceAll('](/', `](${url}/`)
  return { ...document, info: { ...info, description }, servers: [{ url }] }
}

function json(readContent: () => Promise<object>, mediaType = 'application/json'): Document {
  const read = async () => new TextEncoder().encode(JSON.stringify(await readContent()))
  return createDocument({ mediaType, maxAgeSeconds, read })
}

/** @see https://www.rfc-editor.org/rfc/rfc9727 */
const catalogMediaType = 'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"'

/** The APIs of the service with their descriptions, as a set of links (RFC 9264) relative to the service. */
const apiCatalog = {
  linkset: [
    {
      anchor: '/api/v1',
      'service-desc': [{ href: '/openapi.json', type: 'application/json' }],
      'service-doc': [
        { href: '/docs', type: 'text/html' },
        { href: '/docs/api', type: 'text/html' },
      ],
      status: [{ href: '/health', type: 'application/json' }],
    },
  ],
}

/** Creates the document of `/` and `/api/v1`. It links to the console if the console is built. */
function createIndexDocument(
  readOpenApi: () => Promise<OpenApiDocument>,
  { console }: Pick<AppSettings, 'console'>,
): Document {
  const index = json(async () => createIndex(await readOpenApi()))
  const indexWithConsole = json(async () => createIndex(await readOpenApi(), { console: '/console' }))
  return async (request) => await ((await isBuilt(console)) ? indexWithConsole : index)(request)
}

/** Creates the document of `/`. It leads browsers to the console, or to the documentation if no console is built. */
function redirectBrowsers(index: Document, { console }: Pick<AppSettings, 'console'>): Document {
  return async (request) => {
    if (request.get('accept')?.includes('text/html') === true) {
      // Relative, because a proxy may serve the service below a path prefix.
      const location = (await isBuilt(console)) ? 'console' : 'docs'
      return new Response(null, { status: 302, headers: { location, vary: 'Accept', 'cache-control': 'no-cache' } })
    }
    const response = await index(request)
    response.headers.append('vary', 'Accept')
    return response
  }
}

async function isBuilt(console: AppSettings['console']): Promise<boolean> {
  return (await console?.readFile('index.html')) !== undefined
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
    reference: '/docs/api',
    openapi: '/openapi.json',
    errors: '/docs/errors',
    health: '/health',
    trpc: '/trpc',
    operations,
  }
}

type Index = Readonly<
  Record<'name' | 'version' | 'documentation' | 'reference' | 'openapi' | 'errors' | 'health' | 'trpc', string>
> & {
  readonly console?: string
  readonly operations: readonly { readonly method: string; readonly path: string; readonly summary: string }[]
}
