import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { allowedFolders, allowedTools } from './importRules.ts'
import { listSources, readFileImports } from './imports.ts'

const root = new URL('../..', import.meta.url)

/** The packages that each package may import. `types` means `import type` only: the values arrive in the context. */
const allowed: Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }> = {
  core: { values: [] },
  chain: { values: ['core'] },
  store: { values: ['core'] },
  api: { values: ['core'], types: ['chain', 'store'] },
  server: { values: ['core', 'chain', 'store', 'api'] },
  localnet: { values: ['core', 'chain', 'server', 'sdk'] },
  sdk: { values: [] },
  react: { values: ['sdk'] },
  console: { values: ['react', 'sdk'] },
  cli: { values: ['localnet', 'sdk'] },
}

const importPattern = /^(?:import|export) (type )?(?:[^'"]*?from )?'@agio\/(\w+)[^']*'|import\('@agio\/(\w+)/gm

it('ARCHITECTURE.md has the same table of packages as this test', async () => {
  const architecture = await readFile(new URL('ARCHITECTURE.md', root), 'utf8')
  for (const [name, { values, types = [] }] of Object.entries(allowed)) {
    const names = [...values.map((other) => `\`${other}\``), ...types.map((other) => `\`${other}\` (types)`)]
    expect(architecture).toContain(`| \`packages/${name}\` | ${names.join(', ') || 'nothing'} |`)
  }
  expect(architecture).toContain('| `test` | every package |\n| `tools` | every package, `test` |\n')
})

it('every package is in the table of imports', async () => {
  expect(await list('packages')).toEqual(Object.keys(allowed).toSorted())
})

it('the root package.json depends on no workspace package', async () => {
  expect(ownDependencies(await readManifest('package.json'))).toEqual([])
})

it.each(Object.keys(allowed))('%s declares and imports only allowed packages', async (name) => {
  const { values, types = [] } = allowed[name] ?? { values: [] }
  const declared = ownDependencies(await readManifest(`packages/${name}/package.json`))
  expect([...values, ...types]).toEqual(expect.arrayContaining(declared))
  for (const file of await listSources(`packages/${name}/src/`)) {
    for (const [statement, isType, from, dynamic] of (await readFile(file, 'utf8')).matchAll(importPattern)) {
      const imported = from ?? dynamic ?? ''
      expect(isType ? [...values, ...types] : values, `${file.pathname}: ${statement}`).toContain(imported)
      expect(declared, `${name} declares ${imported}`).toContain(imported)
    }
  }
})

it.each(Object.keys(allowed))('the folders of %s import only what their table allows', async (name) => {
  const table = allowedFolders[name] ?? {}
  const imports = await readFolderImports(name)
  expect(Object.keys(table).toSorted()).toEqual([...imports.keys()].toSorted())
  for (const [folder, imported] of imports) {
    expect(table[folder], `${name}/src/${folder} imports ${[...imported].join(', ')}`).toEqual(
      expect.arrayContaining([...imported]),
    )
  }
})

it.each(Object.entries(allowedFolders))('each row of the table of %s names rows above it only', (_, table) => {
  const rows = Object.keys(table)
  for (const [folder, others] of Object.entries(table)) {
    expect(rows.slice(0, rows.indexOf(folder)), `rows above ${folder}`).toEqual(expect.arrayContaining([...others]))
  }
})

it.each(Object.entries(allowedFolders))('no folder of %s imports a file in `src` itself', (_, table) => {
  const folders = Object.entries(table).filter(([row]) => !isFile(row))
  expect(folders.filter(([, others]) => others.some(isFile))).toEqual([])
})

it('each folder of tools imports only those that its table allows', async () => {
  const imports = new Map(Object.keys(allowedTools).map((tool) => [tool, new Set([tool])]))
  for (const [path, files] of await readFileImports('tools/')) {
    const [tool = ''] = path.split('/')
    for (const file of files) if (!file.startsWith('../')) imports.get(tool)?.add(file.split('/')[0] ?? '')
  }
  expect((await list('tools')).filter((name) => !name.includes('.'))).toEqual(Object.keys(allowedTools).toSorted())
  for (const [tool, imported] of imports) {
    expect([tool, ...(allowedTools[tool] ?? [])], `tools/${tool}`).toEqual(expect.arrayContaining([...imported]))
  }
})

it.each(['packages/', 'test/'])('no file of %s imports tools', async (folder) => {
  const imports = await readFileImports(folder)
  const importers = [...imports].filter(([, files]) => [...files].some((file) => file.startsWith('../tools/')))
  expect(importers.map(([path]) => path)).toEqual([])
  expect(ownDependencies(await readManifest('test/package.json'))).not.toContain('tools')
})

it('only tests import packages/store/testing', async () => {
  const sources = (await listSources('packages/')).filter(
    ({ pathname }) => !/\/packages\/store\/testing\/|\.test\.tsx?$/.test(pathname),
  )
  const texts = await Promise.all(sources.map((file) => readFile(file, 'utf8')))
  expect(sources.filter((_, at) => /'(@agio\/store|(\.\.\/)+)\/?testing/.test(texts[at] ?? ''))).toEqual([])
})

async function list(folder: string): Promise<readonly string[]> {
  return (await readdir(new URL(folder, root))).filter((name) => name !== 'node_modules').toSorted()
}

/** The folders of a package's sources, and the files in `src` itself, each with those that it imports; tests left out. */
async function readFolderImports(name: string): Promise<Map<string, Set<string>>> {
  const imports = new Map<string, Set<string>>()
  for (const [path, files] of await readFileImports(`packages/${name}/src/`)) {
    if (path === 'index.ts' || /\.test\.tsx?$/.test(path)) continue
    const folder = folderOf(path)
    const found = imports.get(folder) ?? new Set()
    imports.set(folder, found)
    for (const imported of [...files].map(folderOf)) if (imported !== folder) found.add(imported)
  }
  return imports
}

/** The folder of a file by its full path, or the file if it is in `src` itself. */
function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? path : folder
}

function isFile(row: string): boolean {
  return /\.tsx?$/.test(row)
}

async function readManifest(path: string): Promise<Record<string, Record<string, string>>> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8')) as Record<string, Record<string, string>>
}

function ownDependencies(manifest: Record<string, Record<string, string>>): string[] {
  const names = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] })
  return names.filter((name) => name.startsWith('@agio/')).map((name) => name.slice('@agio/'.length))
}
