import { glob, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import process from 'node:process'
import { describe, expect, inject, it } from 'vitest'
import manifest from '../../packages/sdk/package.json' with { type: 'json' }
import { createProject } from './createProject.ts'
import { run } from './run.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFile(new URL(path, root), 'utf8')

/** The documents that show files of the examples. */
const documents = await list('README.md', 'docs/**/*.md')

/** The documents of the SDK, whose TypeScript is compiled. */
const pages = await list('docs/sdk/*.md', 'packages/sdk/README.md')

/** The names that the blocks of the pages use without declaring them: from earlier blocks, and functions of the reader. */
const surroundings = `
import type { Agio, AgioQuote, PinnedContracts, Step, Wallet } from '@agio/sdk'

declare global {
  const agio: Agio
  const quote: AgioQuote
  const step: Step
  const wallet: Wallet
  const tokenIn: \`0x\${string}\`
  const tokenOut: \`0x\${string}\`
  const url: string
  const apiKey: string
  const adminKey: string
  const router: string
  const factory: string
  const contracts: PinnedContracts
  const cancelButton: HTMLButtonElement
  const database: { save(id: string, step: Step): Promise<void> }
  function show(text: string): void
  function report(code: string, requestId: string | undefined): void
  function readSecret(name: string): Promise<string>
}
`

const tsconfig = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    types: [],
    jsx: 'react-jsx',
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    // The types of tRPC need it.
    skipLibCheck: true,
  },
}

const dependencies = [
  '@agio/react',
  'viem',
  '@trpc/client',
  '@trpc/server',
  '@trpc/tanstack-react-query@11.22.1',
  '@tanstack/react-query@5.108.0',
  '@types/react@19.3.0',
  'react@19.3.1',
  'typescript',
  'wagmi',
]

describe('the documents of the SDK', () => {
  it('show the files of the examples as they are, as do the README and the guide', async () => {
    const shown = documents.flatMap(listFiles)
    expect(shown.map(({ file }) => file)).toContain('examples/node-viem/convert.ts')
    for (const { page, file, link, text } of shown) {
      expect(link, page).toBe(file)
      expect(text, `${file} in ${page}`).toBe(await read(file))
    }
  })

  it.skipIf(!inject('isOnline'))(
    'have TypeScript that compiles against the packed types, each block by itself',
    async () => {
      await using project = await createProject({ dependencies })
      await mkdir(join(project.folder, 'blocks'))
      const blocks = pages.flatMap(listBlocks)
      expect(blocks.length).toBeGreaterThan(15)
      for (const { name, text } of blocks) await writeFile(join(project.folder, 'blocks', name), text)
      await writeFile(join(project.folder, 'blocks/surroundings.d.ts'), surroundings)
      await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify(tsconfig))
      const compiler = join(project.folder, 'node_modules/typescript/bin/tsc')
      expect(await run(process.execPath, [compiler], { cwd: project.folder })).toMatchObject({ code: 0, stdout: '' })
    },
  )

  it('name a server that passes on exactly what its page, quotes, conversions and replacements call', async () => {
    const own = ['conversion', 'quote', 'replacement'].map((folder) => `packages/sdk/src/${folder}/`)
    const folders = [...own, 'packages/react/src/hooks/', 'packages/react/src/poll/'].map(
      (folder) => new URL(folder, root),
    )
    const files = await Promise.all(folders.map(async (url) => (await readdir(url)).map((name) => new URL(name, url))))
    const sources = await Promise.all(files.flat().map((file) => readFile(file, 'utf8')))
    const called = sources.flatMap((source) =>
      [...source.matchAll(/\b(\w+\.\w+)\.(?:query|mutate)\(/g)].map(([, name]) => name),
    )
    const allowed = [...(await read('examples/vite-wagmi/server.ts')).matchAll(/^ {2}'(\w+\.\w+)',$/gm)]
    const names = allowed.map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set(called))
  })

  it('name each code that the client finds itself', async () => {
    const source = await read('packages/sdk/src/errors/AgioError.ts')
    const codes = [...source.matchAll(/^ {2}'([a-z]+\/[a-z-]+)': { retryable/gm)].map(([, code]) => code)
    const documented = [
      ...(await read('docs/sdk/errors.md')).matchAll(/^\| `((?:wallet|network|convert)\/[a-z-]+)` /gm),
    ].map(([, code]) => code)
    expect(documented).toEqual(codes)
  })
})

it('the examples depend on the version of the package', async () => {
  const version = `^${manifest.version}`
  for (const name of ['next', 'node-viem', 'vite-wagmi']) {
    expect(JSON.parse(await read(`examples/${name}/package.json`))).toMatchObject({
      dependencies: { '@agio/sdk': version },
    })
  }
  expect(JSON.parse(await read('examples/deno/deno.json'))).toMatchObject({
    imports: { '@agio/sdk': `npm:@agio/sdk@${version}` },
  })
})

type Page = { readonly path: string; readonly text: string }

type ShownFile = { readonly page: string; readonly file: string; readonly link: string; readonly text: string }

/** Returns the blocks under a link to a file of the examples, with the path in the repository that the link leads to. */
function listFiles({ path, text }: Page): readonly ShownFile[] {
  const found = text.matchAll(/^\[`(examples\/\S+)`\]\((\S+)\)\n\n```\w+\n([\s\S]*?)```/gm)
  return [...found].map(([, file = '', link = '', block = '']) => {
    return { page: path, file, link: posix.join(posix.dirname(path), link), text: block }
  })
}

/** Returns the other blocks of TypeScript, each under a name with its page and line. */
function listBlocks({ path, text }: Page): readonly { readonly name: string; readonly text: string }[] {
  const found = [...text.matchAll(/(\S*)\n\n```(tsx?)\n([\s\S]*?)```/g)]
  return found
    .filter(([, before]) => !before?.startsWith('[`examples/'))
    .map(({ 0: { length }, 2: extension, 3: block = '', index }) => {
      const line = text.slice(0, index + length - block.length).split('\n').length
      return { name: `${path.replaceAll(/[/.]/g, '-')}-${line}.${extension}`, text: block }
    })
}

async function list(...patterns: readonly string[]): Promise<readonly Page[]> {
  const paths = await Array.fromAsync(glob([...patterns], { cwd: root }))
  return await Promise.all(paths.toSorted().map(async (path) => ({ path, text: await read(path) })))
}
