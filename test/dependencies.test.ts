import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url)

/** The packages that each package may import. `types` means `import type` only: the values arrive in the context. */
const allowed: Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }> = {
  core: { values: [] },
  chain: { values: ['core'] },
  store: { values: ['core'] },
  api: { values: ['core'], types: ['chain', 'store'] },
  server: { values: ['core', 'chain', 'store', 'api'] },
  localnet: { values: ['core', 'chain', 'server'] },
}

/**
 * What the folders of a package may import of each other. Rows stand from the bottom up: each names rows above it only, so
 * that no table can allow a circle. A file in `src` itself counts as a folder of its own; `index.ts` may import all.
 */
const allowedFolders: Record<string, Record<string, readonly string[]>> = {
  core: {
    errors: [],
    limits: [],
    'networks.ts': [],
    'powerOfTen.ts': [],
    time: [],
    token: [],
    'Amount.ts': ['errors', 'powerOfTen.ts'],
    'Rate.ts': ['Amount.ts', 'powerOfTen.ts'],
    pool: ['Amount.ts', 'errors', 'powerOfTen.ts', 'time', 'token'],
    route: ['Amount.ts', 'errors', 'pool', 'token'],
    conversion: ['Amount.ts', 'Rate.ts', 'pool', 'route'],
  },
  chain: {
    abi: [],
    deployment: [],
    errors: [],
    transport: [],
    head: ['errors'],
    health: ['errors', 'head', 'transport'],
    selection: ['errors', 'head', 'health', 'transport'],
    revert: ['abi', 'errors'],
    reader: ['abi', 'selection'],
    account: ['abi', 'reader'],
    token: ['abi', 'reader'],
    snapshot: ['abi', 'errors', 'head', 'reader', 'token'],
    liquidity: ['abi', 'errors', 'reader', 'revert', 'snapshot'],
    gas: ['abi', 'errors', 'revert', 'selection'],
    approval: ['gas', 'revert', 'selection'],
    convert: ['abi', 'account', 'deployment', 'gas', 'head', 'reader', 'revert', 'selection', 'snapshot'],
    faucet: ['abi', 'errors', 'gas', 'reader', 'revert', 'selection', 'token'],
    transaction: ['abi', 'errors', 'gas', 'head', 'revert', 'selection'],
  },
  store: {
    database: [],
    log: [],
    key: ['database'],
    limit: ['log'],
    usage: ['database', 'log'],
  },
  server: {
    metrics: [],
    serving: [],
    cli: ['serving'],
  },
  localnet: {
    accounts: [],
    chain: [],
    project: [],
    contracts: ['project'],
    node: ['project'],
    price: ['chain'],
    deployment: ['chain', 'contracts', 'node', 'price'],
    start: ['chain', 'contracts', 'deployment', 'node', 'price', 'project'],
    scenario: ['accounts', 'chain', 'node', 'price', 'start'],
    service: ['scenario', 'start'],
    cli: ['accounts', 'chain', 'node', 'project', 'scenario', 'service', 'start'],
  },
}

const importPattern = /^(?:import|export) (type )?[^'"]*?from '@agio\/(\w+)[^']*'|import\('@agio\/(\w+)/gm

it('ARCHITECTURE.md has the same table of packages as this test', async () => {
  const architecture = await readFile(new URL('ARCHITECTURE.md', root), 'utf8')
  for (const [name, { values, types = [] }] of Object.entries(allowed)) {
    const list = [...values.map((other) => `\`${other}\``), ...types.map((other) => `\`${other}\` (types)`)]
    expect(architecture).toContain(`| \`packages/${name}\` | ${list.join(', ') || 'nothing'} |`)
  }
})

it('every package is in the table of imports', async () => {
  expect((await readdir(new URL('packages', root))).toSorted()).toEqual(Object.keys(allowed).toSorted())
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

it.each(Object.entries(allowedFolders))(
  'the folders of %s import only what their table allows',
  async (name, table) => {
    const imports = await readFolderImports(name)
    for (const [folder, imported] of imports) {
      if (isFile(folder) && !table[folder]) continue
      expect(table[folder], `${name}/src/${folder} imports ${[...imported].join(', ')}`).toEqual(
        expect.arrayContaining([...imported]),
      )
    }
    const rows = Object.keys(table)
    for (const [folder, others] of Object.entries(table)) {
      expect(rows.slice(0, rows.indexOf(folder)), `rows above ${folder}`).toEqual(expect.arrayContaining([...others]))
    }
  },
)

it.each(Object.keys(allowed))('the folders of %s do not import each other in a circle', async (name) => {
  expect(findCircle(await readFolderImports(name))).toBeUndefined()
})

/** The folders of a package's sources, and the files in `src` itself, each with those that it imports; tests left out. */
async function readFolderImports(name: string): Promise<Map<string, Set<string>>> {
  const base = new URL(`packages/${name}/src/`, root)
  const imports = new Map<string, Set<string>>()
  for (const file of await listSources(`packages/${name}/src/`)) {
    const path = file.pathname.slice(base.pathname.length)
    const folder = folderOf(path)
    if (path === 'index.ts' || path.endsWith('.test.ts')) continue
    const found = imports.get(folder) ?? new Set()
    imports.set(folder, found)
    for (const [, specifier = ''] of (await readFile(file, 'utf8')).matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const imported = folderOf(posix.join(posix.dirname(path), specifier))
      // What leaves `src` is a file of the package that is no source, such as its manifest.
      if (imported !== folder && imported !== '..') found.add(imported)
    }
  }
  return imports
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? path
}

function isFile(folder: string): boolean {
  return folder.endsWith('.ts')
}

/** Folders that import each other, from one of them back to itself; undefined if there are none. */
function findCircle(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (folder: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder]
    if (done.has(folder)) return undefined
    for (const imported of imports.get(folder) ?? []) {
      const circle = visit(imported, [...path, folder])
      if (circle) return circle
    }
    done.add(folder)
    return undefined
  }
  for (const folder of imports.keys()) {
    const circle = visit(folder, [])
    if (circle) return circle
  }
  return undefined
}

async function readManifest(path: string): Promise<Record<string, Record<string, string>>> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8')) as Record<string, Record<string, string>>
}

function ownDependencies(manifest: Record<string, Record<string, string>>): string[] {
  const names = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] })
  return names.filter((name) => name.startsWith('@agio/')).map((name) => name.slice('@agio/'.length))
}

async function listSources(folder: string): Promise<URL[]> {
  const base = new URL(folder, root)
  const files = await readdir(base, { recursive: true })
  return files.filter((file) => file.endsWith('.ts')).map((file) => new URL(file, base))
}
