import { posix } from 'node:path'
import { createHash } from 'node:crypto'
import { errorCatalogue, errorCodes, formatErrorCatalogue } from '@agio/core'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { DocsAsset } from '../settings/DocsSource.ts'
import { createDocument, type Document } from './createDocument.ts'
import { toRoot } from '../http/toRoot.ts'
import * as Markdown from './Markdown.ts'
import { renderDocsPage } from './renderDocsPage.ts'

const maxAgeSeconds = 300

// The pages load nothing from other origins.
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const assets = {
  'site.css': { mediaType: 'text/css; charset=utf-8', maxAgeSeconds },
  'site.js': { mediaType: 'text/javascript; charset=utf-8', maxAgeSeconds },
  'icon.svg': { mediaType: 'image/svg+xml', maxAgeSeconds: 3600 },
  'minisearch.js': { mediaType: 'text/javascript; charset=utf-8', maxAgeSeconds: 3600 },
  'reference.js': { mediaType: 'text/javascript; charset=utf-8', maxAgeSeconds: 3600 },
} as const satisfies Record<DocsAsset, object>

// The service also has this page without the folder, because each error links to its code.
const errorsFile = 'reference/errors.md'
const errorsUrl = '/docs/errors'

/**
 * Creates the documents of `/docs` by path: the pages as HTML and as Markdown, their pictures, the search and the API
 * reference. Each document is read and rendered at its first request.
 */
export async function createDocsSite({
  docs,
  console,
  readOpenApi,
}: Dependencies): Promise<ReadonlyMap<string, Document>> {
  const files = new Set([...(await docs.listFiles()), errorsFile])
  const hasConsole = (await console?.readFile('index.html')) !== undefined
  const pages = [...files].filter((file) => file.endsWith('.md'))
  const pictures = [...files].filter((file) => file.endsWith('.png'))

  const readPage = async (file: string) => Markdown.parse(await readText(file))
  const readText = async (file: string) =>
    file === errorsFile ? formatErrorCatalogue() : new TextDecoder().decode(await docs.readFile(file))
  async function readNavigation(): Promise<readonly Markdown.LinkGroup[]> {
    if (!files.has('README.md')) return []
    return Markdown.listLinks(await readPage('README.md')).map(({ title, links }) => ({
      title,
      links: links.flatMap(({ title, href }) => {
        const url = findUrl(files, 'README.md', href)
        return url === undefined ? [] : [{ title, href: url }]
      }),
    }))
  }
  async function renderPage(file: string): Promise<string> {
    const page = await readPage(file)
    const content = Markdown.toHtml(page, (link) => findUrl(files, file, link))
    const url = toUrl(file)
    const html = await renderDocsPage({
      url,
      markdownUrl: `/docs/${file}`,
      page,
      content,
      navigation: await readNavigation(),
      hasConsole,
    })
    // A proxy may serve the service below a path prefix.
    return html.replaceAll(/\b(href|src|srcset)="\//g, `$1="${toRoot(url)}`)
  }
  async function listSections(): Promise<readonly SearchSection[]> {
    const sections: SearchSection[] = []
    for (const file of pages) sections.push(...toSearchSections(toUrl(file), await readPage(file)))
    return [...sections, ...codeSections]
  }
  const reference = (path: string): [string, Document] => [
    path,
    page(async () => {
      const openApi = JSON.stringify(JSON.parse(new TextDecoder().decode(await readOpenApi())))
      return renderReferencePage({ openApi, root: toRoot(path), hasConsole })
    }, referencePolicy),
  ]
  return new Map([
    reference('/docs'),
    reference('/docs/api'),
    ...pages.flatMap((file): [string, Document][] => [
      [toUrl(file), page(() => renderPage(file), pagePolicy)],
      [`/docs/${file}`, text('text/markdown; charset=utf-8', () => readText(file))],
    ]),
    ...pictures.map((file): [string, Document] => [
      `/docs/${file}`,
      createDocument({ mediaType: 'image/png', maxAgeSeconds: 3600, read: () => docs.readFile(file) }),
    ]),
    ...Object.entries(assets).map(([name, asset]): [string, Document] => [
      `/docs/${name}`,
      createDocument({ ...asset, read: () => docs.readAsset(name as DocsAsset) }),
    ]),
    ...(files.has('README.md') ? [llmsDocument(() => readText('README.md'))] : []),
    ['/docs/search.json', text('application/json', async () => JSON.stringify(await listSections()))],
  ])
}

type Dependencies = Pick<AppSettings, 'docs' | 'console' | 'readOpenApi'>

/** A section of a page, for the search. */
type SearchSection = Readonly<Record<'url' | 'page' | 'heading' | 'text', string>>

const codeSections: readonly SearchSection[] = errorCodes.map((code) => ({
  url: `${errorsUrl}#${toAnchor(code)}`,
  page: 'Errors',
  heading: code,
  text: errorCatalogue[code].title,
}))

function toSearchSections(url: string, { title, sections }: Markdown.Page): readonly SearchSection[] {
  return sections.map(({ depth, id, heading, text }) => ({
    url: depth === 1 ? url : `${url}#${id}`,
    page: title,
    heading,
    text,
  }))
}

function llmsDocument(readOverview: () => Promise<string>): [string, Document] {
  return ['/llms.txt', text('text/plain; charset=utf-8', async () => toLlmsText(await readOverview()))]
}

/**
 * Returns the overview for agents: the links of the README to pages, which lead to their Markdown.
 *
 * @see https://llmstxt.org
 */
function toLlmsText(readme: string): string {
  const lines = readme.split('\n').filter((line) => /^(## |- \[[^\]]+\]\((?!\.\.|https?:))/.test(line))
  const links = lines.map((line) => line.replace('](', '](docs/').replace(/^## .*/, '\n$&\n'))
  return `# Agio\n\n> Converts stablecoins over REST, tRPC and MCP. Links are relative to this file.\n${links.join('\n')}\n`
}

/** Returns the URL of a page: its path without the extension. The README of a folder is the page of the folder. */
function toUrl(file: string): string {
  if (file === errorsFile) return errorsUrl
  return `/docs/${file.slice(0, -'.md'.length)}`.replace(/\/README$/, '')
}

/** Returns the URL of the target of a link in a file; undefined if the service does not serve the target. */
function findUrl(files: ReadonlySet<string>, file: string, link: string): string | undefined {
  if (/^(?:[a-z][a-z+.-]*:|#)/i.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '')
  // The documentation has its own overview instead of the README, with different headings.
  if (target === '../README.md') return '/docs'
  const served = [target, posix.join(target, 'README.md')].find((name) => files.has(name))
  if (served === undefined) return undefined
  const url = served.endsWith('.md') ? toUrl(served) : `/docs/${served}`
  return anchor === undefined ? url : `${url}#${anchor}`
}

function toAnchor(code: string): string {
  return code.slice('svc/'.length)
}

function page(read: () => Promise<string>, policy: string): Document {
  return text('text/html; charset=utf-8', read, {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  })
}

function text(
  mediaType: string,
  read: () => Promise<string>,
  headers: Readonly<Record<string, string>> = {},
): Document {
  return createDocument({ mediaType, maxAgeSeconds, headers, read: async () => new TextEncoder().encode(await read()) })
}

// The colours of the bundle have too little contrast, and its buttons are too small.
const css = [
  '.light-mode { --scalar-color-2: #545454; --scalar-color-3: #545454; --scalar-color-blue: #0060a8 }',
  '.dark-mode { --scalar-color-3: var(--scalar-color-2) }',
  '.badge { color: var(--scalar-color-1) }',
  'aside button { min-width: 24px; min-height: 24px }',
].join(' ')

// The bundle reads storage when it starts, and a sandboxed page has none. Its copy of zod would try whether the policy allows eval.
const script = `globalThis.__zod_globalConfig = { jitless: true }
for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { value: { length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {}, clear() {} } })
addEventListener('DOMContentLoaded', () => Scalar.createApiReference('#app', {
  content: JSON.parse(document.querySelector('#openapi').textContent),
  // Requests of the page would be those of a foreign origin.
  hideTestRequestButton: true,
  documentDownloadType: 'none',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  mcp: { disabled: true },
  agent: { disabled: true },
  customCss: '${css}',
}))`

/**
 * The policy of the page. Its bundle is not ours, so the page has an origin of its own: it cannot read the storage of the console, and
 * sends no requests.
 */
const referencePolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns the page of the API reference, which renders a document of OpenAPI. */
function renderReferencePage({ openApi, root, hasConsole }: Options): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agio API</title>
<link rel="icon" type="image/svg+xml" href="${root}docs/icon.svg">
</head>
<body>
${hasConsole ? `<header style="margin: 12px 20px; font: 14px system-ui, sans-serif"><a href="${root}console/build/calls">Try these operations in the console</a></header>\n` : ''}<div id="app"></div>
<script type="application/json" id="openapi">${openApi.replaceAll('<', String.raw`\u003c`)}</script>
<script>${script}</script>
<script src="${root}docs/reference.js"></script>
</body>
</html>
`
}

type Options = {
  /** The document of OpenAPI, as JSON. */
  readonly openApi: string
  /** The relative path from the page to the root of the service, such as `../`. */
  readonly root: string
  readonly hasConsole: boolean
}
