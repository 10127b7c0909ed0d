import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const documents = await list('*.md', 'docs/**/*.md', 'deployments/*.md', '{packages,examples,tools}/**/README.md')
const files = await list(
  'Dockerfile',
  '**/*.{ts,tsx,sol,json,md,yaml,yml,mjs,html,py,png}',
  'packages/*/migrations/*',
  'ops/**/*',
)
const texts = new Map(await Promise.all(documents.map(async (path) => [path, await read(path)] as const)))

// Commands of `pnpm` itself.
const builtins = ['add', 'config', 'exec', 'install']

it('a decision has at most 300 words', () => {
  const decisions = [...texts].filter(([path]) => /^docs\/decisions\/\d/.test(path))
  expect(decisions).not.toEqual([])
  expect(decisions.map(([path, text]) => [path, countWords(text)] as const).filter(([, words]) => words > 300)).toEqual(
    [],
  )
})

it('a section of CHANGELOG.md has at most 100 lines', () => {
  const sections = (texts.get('CHANGELOG.md') ?? '').split(/^(?=## )/m).slice(1)
  expect(sections.filter((section) => countLines(section) > 100).map((section) => section.split('\n')[0])).toEqual([])
})

describe.each([...texts])('%s', (path, text) => {
  it(`${path} names only files and folders that exist`, () => {
    expect(listPaths(text).filter((name) => !exists(name))).toEqual([])
  })

  it(`${path} links only to files and headings that exist`, () => {
    expect(listLinks(text).filter((link) => !isTarget(path, link))).toEqual([])
  })

  it(`${path} names only commands that package.json has`, async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
    const known = new Set([...builtins, ...Object.keys(scripts)])
    expect(listCommands(text).filter((name) => !known.has(name))).toEqual([])
  })
})

it('each command that starts the service on Node has the options of `pnpm serve`', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  const [expected] = listServeOptions(scripts['serve'] ?? '')
  const commands = listServeOptions(
    [await read('Dockerfile'), await read('ops/systemd/agio@.service'), ...texts.values()].join('\n'),
  )
  expect(commands.length).toBeGreaterThan(3)
  expect(new Set(commands)).toEqual(new Set([expected]))
})

it('docs/README.md links to each page of docs, except single decisions, with a sentence', async () => {
  const listed = [...(await read('docs/README.md')).matchAll(/^- \[.+\]\((.+\.md)\): .+$/gm)].map(
    ([, page]) => `docs/${page}`,
  )
  const pages = documents.filter((path) => /^docs\/(?!README|decisions\/\d)/.test(path))
  expect(listed.toSorted()).toEqual(pages.toSorted())
})

it('docs/develop/console.md names each operation once, with its page or the reason why it has none', async () => {
  const section = /^## Operations\n([^]*?)^## /m.exec(texts.get('docs/develop/console.md') ?? '')?.[1] ?? ''
  const { paths } = JSON.parse(await read('openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId))
  const [placed = '', others = ''] = section.split(/^\| Operations \| Reason \|$/m)
  const names = [
    ...placed.matchAll(/`(\w+)`/g),
    // The reasons name operations too.
    ...Array.from(others.matchAll(/^\|([^|]*)\|/gm), ([, first = '']) => [...first.matchAll(/`(\w+)`/g)]).flat(),
  ].map(([, name = '']) => name)
  expect(names.toSorted()).toEqual(operations.toSorted())
})

it.each([
  ['README.md', { maxLines: 250, maxBytes: 16_384 }],
  ['ARCHITECTURE.md', { maxLines: 150 }],
])('%s is short enough to read at once', (path, { maxLines, maxBytes = Infinity }: Size) => {
  const text = texts.get(path) ?? ''
  expect(countLines(text)).toBeLessThanOrEqual(maxLines)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
})

it.each([
  ['packages', 20, 40],
  ['tools', 10, 20],
])('each folder of %s has a README of %d to %d lines', async (parent, least, most) => {
  const folders = (await list(`${parent}/*`)).filter((path) => !/\.|node_modules/.test(path))
  const sizes = folders.map((path) => [path, countLines(texts.get(`${path}/README.md`) ?? '')] as const)
  expect(sizes).not.toEqual([])
  expect(sizes.filter(([, lines]) => lines < least || lines > most)).toEqual([])
})

it('docs/guide/webhooks.md has a row for each event of openapi.json', async () => {
  const { components } = JSON.parse(await read('openapi.json')) as Document
  const rows = (await read('docs/guide/webhooks.md'))
    .split('\n')
    .filter((line) => /^\| `(transaction|market)\./.test(line))
  const described = rows.flatMap((row) => {
    const [first = '', ...others] = [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(
      ([, type]) => type as string,
    )
    return [first, ...others.map((type) => `${first.split('.')[0]}${type}`)]
  })
  expect(described.toSorted()).toEqual(components.schemas.WebhookEventType.enum.toSorted())
})

it('.dockerignore leaves in what the Dockerfile copies', async () => {
  const lines = (await read('.dockerignore')).split('\n')
  const copied = [...(await read('Dockerfile')).matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  expect(copied).toContain('openapi.json')
  expect(copied.filter((name) => !lines.includes(`!${name}`))).toEqual([])
})

type Size = { readonly maxLines: number; readonly maxBytes?: number }

type Document = {
  readonly components: { readonly schemas: { readonly WebhookEventType: { readonly enum: readonly string[] } } }
}

/** The paths in code spans: those with a file's ending, and folders with a slash at the end. */
function listPaths(text: string): readonly string[] {
  const spans = [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span as string)
  return spans.filter((span) => /^[\w.@-][\w.@/-]*(\.(ts|sol|json|md|ya?ml|mjs)|\/)$/.test(span) && !isMadeAtRun(span))
}

// Written by running the service or by packing, settings of other programs, or an example of a folder that must not exist.
function isMadeAtRun(path: string): boolean {
  return /^(\.local|\.data|dist|\.cursor|\.vscode)\//.test(path) || ['utils/', '.mcp.json'].includes(path)
}

/** Lists the options of Node of each command that starts the service, also over several lines and in a Dockerfile. */
function listServeOptions(text: string): readonly string[] {
  const commands = text.replaceAll(/\\\n/g, ' ').replaceAll(/["',]/g, ' ').replaceAll(/ +/g, ' ')
  const starts = commands.matchAll(
    /node ((?:--[\w=-]+ )+)packages\/(?:cli\/src\/main\.ts serve|server\/src\/node\.ts)/g,
  )
  return [...starts].map(([, options = '']) => options)
}

/** Whether a path ends at a file or folder of the repository, from the root or from any folder below. */
function exists(path: string): boolean {
  return files.some((file) => (path.endsWith('/') ? `/${file}`.includes(`/${path}`) : `/${file}`.endsWith(`/${path}`)))
}

function listLinks(text: string): readonly string[] {
  const found = withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)
  const links = Array.from(found, ([, link, source]) => (link ?? source) as string)
  return links.filter((link) => !/^https?:/.test(link))
}

function isTarget(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? document : new URL(path, `file:///${document}`).pathname.slice(1)
  if (!files.some((file) => file === target || file.startsWith(`${target}/`))) return false
  return anchor === undefined || listAnchors(texts.get(target) ?? '').includes(anchor)
}

/** The anchors of a document's headings, as GitHub makes them. */
function listAnchors(text: string): readonly string[] {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading as string)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The scripts that code spans and blocks run. */
function listCommands(text: string): readonly string[] {
  const code = [...text.matchAll(/^```.*?^```|`[^`\n]+`/gms)].map(([span]) => span).join('\n')
  return [...code.matchAll(/\bpnpm(?:@12)?(?: --silent)? ([a-z][a-z:]*)/g)].map(([, name]) => name as string)
}

function countLines(text: string): number {
  return text.trimEnd().split('\n').length
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length
}

function withoutBlocks(text: string): string {
  return text.replace(/^```.*?^```/gms, '')
}

async function list(...patterns: readonly string[]): Promise<readonly string[]> {
  const exclude = (path: string) => /(^|\/)(node_modules|artifacts|cache|dist)(\/|$)/.test(path)
  return await Array.fromAsync(glob([...patterns], { cwd: root, exclude }))
}

async function read(path: string): Promise<string> {
  return await readFile(new URL(path, `file://${root}`), 'utf8')
}
