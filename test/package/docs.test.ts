import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it } from 'vitest'
import manifest from '../../packages/sdk/package.json' with { type: 'json' }
import { createProject } from './createProject.ts'
import { run } from './run.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFile(new URL(path, root), 'utf8')

const page = await read('docs/sdk.md')
const packagePage = await read('packages/sdk/README.md')
const readme = await read('README.md')
const section = readme.slice(readme.indexOf('## Convert with TypeScript'), readme.indexOf('## Test against it'))

/** The names that the blocks of the page use without declaring them: from earlier blocks, and functions of the reader. */
const surroundings = `
import type { Agio, AgioQuote, Step, Wallet } from '@agio/sdk'

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
  'viem',
  '@trpc/client',
  '@trpc/server',
  '@trpc/tanstack-react-query@11.22.1',
  '@tanstack/react-query@5.108.0',
  '@types/react@19.3.0',
  'react@19.3.1',
  'typescript',
]

describe('docs/sdk.md', () => {
  it('shows the files of the examples as they are, as does the README', async () => {
    const shown = [...listFiles(page, '../'), ...listFiles(section, '')]
    expect(shown.map(({ file }) => file)).toContain('examples/vite-wagmi/src/main.tsx')
    for (const { file, text } of shown) expect(text, file).toBe(await read(file))
  })

  it.skipIf(!inject('isOnline'))(
    'has TypeScript that compiles against the packed types, each block by itself, as has the page of the package',
    async () => {
      await using project = await createProject({ dependencies })
      await mkdir(join(project.folder, 'blocks'))
      const blocks = [...listBlocks('sdk', page), ...listBlocks('package', packagePage)]
      expect(blocks.length).toBeGreaterThan(15)
      for (const { name, text } of blocks) await writeFile(join(project.folder, 'blocks', name), text)
      await writeFile(join(project.folder, 'blocks/surroundings.d.ts'), surroundings)
      await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify(tsconfig))
      const compiler = join(project.folder, 'node_modules/typescript/bin/tsc')
      expect(await run(process.execPath, [compiler], { cwd: project.folder })).toMatchObject({ code: 0, stdout: '' })
    },
  )

  it('has a server that passes on exactly what quotes, conversions and replacements call', async () => {
    const folders = ['convert', 'quote', 'replace'].map((folder) => new URL(`packages/sdk/src/${folder}/`, root))
    const files = await Promise.all(folders.map(async (url) => (await readdir(url)).map((name) => new URL(name, url))))
    const sources = await Promise.all(files.flat().map((file) => readFile(file, 'utf8')))
    const called = sources.flatMap((source) =>
      [...source.matchAll(/\b(\w+\.\w+)\.(?:query|mutate)\(/g)].map(([, name]) => name),
    )
    const allowed = [...(await read('examples/vite-wagmi/server.ts')).matchAll(/^ {2}'(\w+\.\w+)',$/gm)]
    const names = allowed.map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set(called))
  })

  it('names each code that the client finds itself', async () => {
    const source = await read('packages/sdk/src/errors/AgioError.ts')
    const codes = [...source.matchAll(/^ {2}'([a-z]+\/[a-z-]+)': /gm)].map(([, code]) => code)
    const documented = [...page.matchAll(/^\| `((?:wallet|network|convert)\/[a-z-]+)` /gm)].map(([, code]) => code)
    expect(documented).toEqual(codes)
  })

  it('links to files and sections that are there', () => {
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => `#${toAnchor(title)}`)
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    expect(anchors).toEqual(expect.arrayContaining(links.filter((link) => link.startsWith('#'))))
    const paths = links.filter((link) => !/^(#|http)/.test(link)).map((link) => link.replace(/#.*/, ''))
    expect(paths.filter((path) => !existsSync(fileURLToPath(new URL(`docs/${path}`, root))))).toEqual([])
  })
})

it('the examples depend on the version of the package', async () => {
  const version = `^${manifest.version}`
  for (const name of ['node-viem', 'vite-wagmi']) {
    expect(JSON.parse(await read(`examples/${name}/package.json`))).toMatchObject({
      dependencies: { '@agio/sdk': version },
    })
  }
  expect(JSON.parse(await read('examples/deno/deno.json'))).toMatchObject({
    imports: { '@agio/sdk': `npm:@agio/sdk@${version}` },
  })
})

/** The blocks under a link to their file. */
function listFiles(text: string, base: string): readonly { readonly file: string; readonly text: string }[] {
  const found = text.matchAll(/^\[`(examples\/\S+)`\]\((\S+)\)\n\n```\w+\n([\s\S]*?)```/gm)
  return [...found].map(([, file = '', link, block = '']) => {
    expect(link).toBe(`${base}${file}`)
    return { file, text: block }
  })
}

/** The other blocks of TypeScript, each under a name with its line. */
function listBlocks(page: string, text: string): readonly { readonly name: string; readonly text: string }[] {
  const found = [...text.matchAll(/(\S*)\n\n```(tsx?)\n([\s\S]*?)```/g)]
  return found
    .filter(([, before]) => !before?.startsWith('[`examples/'))
    .map(({ 0: { length }, 2: extension, 3: block = '', index }) => {
      const line = text.slice(0, index + length - block.length).split('\n').length
      return { name: `${page}${line}.${extension}`, text: block }
    })
}

function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
