import { Errors } from '@agio/core'
import { Hono } from 'hono'
import { createDocumentLimiter } from '../admission/createDocumentLimiter.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { OpenApiDocument } from '../openapi/createOpenApiDocument.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import { createDocument, type Document } from './createDocument.ts'
import { createPostmanCollection } from './createPostmanCollection.ts'
import { readTokens } from '../chains/list.ts'

const maxAgeSeconds = 300

/**
 * Creates the endpoints of the index, the OpenAPI document and the documentation. The endpoints need no key. Requests without a
 * key are limited by address.
 */
export function docsEndpoints(settings: Dependencies): Hono<{ Bindings: Bindings }> {
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

type Dependencies = createDocumentLimiter.Dependencies &
  Pick<AppSettings, 'chains' | 'now' | 'readOpenApi' | 'publicUrl' | 'docs' | 'console'>

type Bindings = { readonly exchange: HttpExchange }

/** Creates a function that returns the documentation. The first call loads the renderer, and lists the files. */
function createSiteOpener(settings: Dependencies): () => Promise<ReadonlyMap<string, Document>> {
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

function createDocuments(settings: Dependencies): Readonly<Record<string, Document>> {
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

/** What the format allows. Other tokens are left out, so that one token does not make the list invalid. */
const isListed = ({ name, symbol }: { readonly name: string; readonly symbol: string }) =>
  name.length <= 60 && symbol.length <= 20 && /^\S*$/.test(symbol)

/**
 * Creates the list of the tokens of all pools, in the format of tokenlists.org.
 *
 * @param version the version of the service, such as `2.1.0`
 * @param createdAtMs when the service started: a deployment has the same tokens until the next start
 * @throws `svc/upstream-unavailable` if no token could be read yet
 */
async function createTokenList(chains: AppSettings['chains'], { version, createdAtMs }: Options): Promise<TokenList> {
  const lists = Object.values(chains).map(async (chain) => {
    const tokens = await readTokens(chain)
    return tokens.filter(isListed).map(({ address, symbol, name, decimals }) => {
      return { chainId: chain.chainId, address, symbol, name, decimals }
    })
  })
  const tokens = (await Promise.all(lists)).flat()
  const reason = 'no token has been read yet'
  if (tokens.length === 0) throw Errors.upstreamUnavailable({ action: 'list the tokens', reason })
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return { name: 'Agio', timestamp: new Date(createdAtMs).toISOString(), version: { major, minor, patch }, tokens }
}

type Options = { readonly version: string; readonly createdAtMs: number }

/** @see https://uniswap.org/tokenlist.schema.json */
type TokenList = {
  readonly name: string
  readonly timestamp: string
  readonly version: Readonly<Record<'major' | 'minor' | 'patch', number>>
  readonly tokens: readonly ListedToken[]
}

type ListedToken = Readonly<Record<'address' | 'symbol' | 'name', string>> &
  Readonly<Record<'chainId' | 'decimals', number>>
