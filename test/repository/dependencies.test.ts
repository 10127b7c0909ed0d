import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { listRelativeImports, listSources, readFileImports } from './imports.ts'

const root = new URL('../..', import.meta.url)

/** The packages that each package may import. `types` means `import type` only: the values arrive in the context. */
const allowed: Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }> = {
  core: { values: [] },
  chain: { values: ['core'] },
  store: { values: ['core'] },
  api: { values: ['core'], types: ['chain', 'store'] },
  server: { values: ['core', 'chain', 'store', 'api'] },
  localnet: { values: ['core', 'chain', 'server'] },
  sdk: { values: [] },
  console: { values: ['sdk'] },
}

/** The folders of chain whose parts a `Chain` combines. */
const chainFolders = [
  'account',
  'approval',
  'call',
  'convert',
  'deployment',
  'faucet',
  'gas',
  'head',
  'health',
  'liquidity',
  'permit',
  'reader',
  'receipt',
  'router',
  'selection',
  'snapshot',
  'tracking',
  'transaction',
]

/**
 * What each folder of a package may import of the others, by its full path in `src`. The rows are in order from the bottom up:
 * each names only rows above it, so that no table can allow a circle. A file in `src` itself has its own row; `index.ts`,
 * which nothing in its package imports, may import all.
 */
const allowedFolders: Record<string, Record<string, readonly string[]>> = {
  core: {
    async: [],
    'errors/catalogue': [],
    integer: [],
    json: [],
    time: [],
    errors: ['errors/catalogue', 'time'],
    client: ['errors'],
    amount: ['errors', 'integer'],
    curve: ['integer'],
    market: [],
    network: [],
    tier: [],
    token: [],
    transaction: [],
    pool: ['amount', 'curve', 'errors', 'integer', 'market', 'time', 'token'],
    route: ['errors', 'integer', 'pool', 'token'],
    conversion: ['amount', 'integer', 'route'],
  },
  chain: {
    abi: [],
    call: ['abi'],
    deployment: [],
    transport: [],
    proof: ['transport'],
    errors: ['proof'],
    head: ['errors'],
    revert: ['abi', 'errors'],
    health: ['errors', 'head', 'proof', 'transport'],
    selection: ['errors', 'head', 'health', 'proof', 'transport'],
    gas: ['abi', 'call', 'errors', 'proof', 'revert', 'selection'],
    reader: ['abi', 'errors', 'proof', 'selection'],
    account: ['abi', 'errors', 'reader', 'selection'],
    permit: ['abi', 'call', 'errors', 'gas', 'reader', 'revert', 'selection'],
    approval: ['call', 'gas', 'permit', 'revert', 'selection'],
    router: ['abi', 'errors', 'permit', 'reader'],
    token: ['abi', 'reader'],
    faucet: ['abi', 'errors', 'gas', 'reader', 'revert', 'selection', 'token'],
    snapshot: ['abi', 'deployment', 'errors', 'head', 'proof', 'reader', 'revert', 'token'],
    convert: [
      'abi',
      'account',
      'approval',
      'call',
      'deployment',
      'errors',
      'gas',
      'head',
      'permit',
      'reader',
      'revert',
      'selection',
      'snapshot',
    ],
    liquidity: ['abi', 'errors', 'reader', 'revert', 'selection', 'snapshot'],
    transaction: ['abi', 'call', 'errors', 'gas', 'head', 'revert', 'selection'],
    tracking: ['account', 'call', 'deployment', 'errors', 'gas', 'head', 'revert', 'selection', 'transaction'],
    receipt: [
      'abi',
      'call',
      'deployment',
      'errors',
      'head',
      'reader',
      'revert',
      'selection',
      'snapshot',
      'token',
      'transaction',
    ],
    'Chain.ts': chainFolders,
    'connectChain.ts': [
      'deployment',
      'faucet',
      'gas',
      'head',
      'health',
      'permit',
      'reader',
      'router',
      'selection',
      'snapshot',
      'tracking',
    ],
    'createChain.ts': ['Chain.ts', 'connectChain.ts', ...chainFolders],
  },
  store: {
    database: [],
    key: ['database'],
    log: [],
    limit: ['log'],
    quote: ['database'],
    replica: ['database'],
    usage: ['database', 'log'],
    webhook: ['database'],
    'openStore.ts': ['database', 'key', 'log', 'quote', 'replica', 'usage', 'webhook'],
    'testing.ts': ['database', 'key', 'limit', 'quote', 'usage', 'webhook'],
  },
  api: {
    errors: [],
    quote: [],
    http: ['errors'],
    schema: ['errors'],
    health: ['schema'],
    stream: ['errors', 'health'],
    procedure: ['errors', 'quote', 'stream'],
    admin: ['procedure', 'schema'],
    chains: ['procedure', 'schema'],
    faucet: ['procedure', 'schema'],
    market: ['procedure', 'schema'],
    usage: ['procedure', 'schema'],
    pools: ['market', 'procedure', 'schema'],
    transaction: ['errors', 'pools', 'procedure', 'quote', 'schema'],
    approval: ['errors', 'pools', 'procedure', 'quote', 'schema', 'transaction'],
    convert: ['errors', 'market', 'pools', 'procedure', 'quote', 'schema', 'transaction'],
    webhooks: ['procedure', 'schema', 'transaction'],
    'stream/topics': ['convert', 'errors', 'health', 'market', 'pools', 'procedure', 'schema', 'stream', 'transaction'],
    router: [
      'admin',
      'approval',
      'chains',
      'convert',
      'faucet',
      'http',
      'market',
      'pools',
      'procedure',
      'stream/topics',
      'transaction',
      'usage',
      'webhooks',
    ],
    settings: ['quote', 'router'],
    admission: ['http', 'settings'],
    openapi: ['admission', 'health', 'http', 'router', 'schema', 'stream/topics', 'webhooks'],
    docs: ['admission', 'http', 'openapi', 'settings'],
    console: ['admission', 'docs', 'health', 'http', 'settings'],
    edge: [
      'admission',
      'console',
      'docs',
      'errors',
      'health',
      'http',
      'procedure',
      'quote',
      'router',
      'settings',
      'stream',
      'stream/topics',
    ],
  },
  server: {
    settings: [],
    metrics: [],
    webhooks: [],
    log: [],
    http: [],
    cli: ['settings'],
    keys: ['cli', 'settings'],
    service: ['log', 'metrics', 'settings', 'webhooks'],
    serving: ['cli', 'http', 'log', 'service', 'settings'],
    deno: ['http', 'log', 'service', 'serving', 'settings'],
    workers: ['cli', 'deno', 'log', 'serving', 'settings'],
    'cli.ts': ['cli', 'serving', 'settings'],
    'keys.ts': ['cli', 'keys'],
    'serveDeno.ts': ['cli', 'deno', 'settings', 'workers'],
    'deno.ts': ['cli', 'deno', 'serving', 'settings', 'workers'],
    'node.ts': ['cli', 'serving', 'settings', 'workers'],
  },
  localnet: {
    accounts: [],
    chain: [],
    price: ['chain'],
    project: [],
    console: ['project'],
    contracts: ['project'],
    node: ['project'],
    deployment: ['chain', 'contracts', 'node', 'price', 'project'],
    localnet: ['chain', 'contracts', 'deployment', 'node', 'price', 'project'],
    'scenarios/node': ['accounts', 'chain', 'node', 'localnet'],
    'scenarios/definition': ['chain', 'price', 'scenarios/node'],
    'scenarios/chain': ['chain', 'price', 'scenarios/definition', 'scenarios/node'],
    'scenarios/rpc': ['scenarios/definition', 'scenarios/node'],
    scenarios: [
      'chain',
      'price',
      'scenarios/chain',
      'scenarios/definition',
      'scenarios/node',
      'scenarios/rpc',
      'localnet',
    ],
    service: ['scenarios', 'scenarios/node', 'localnet'],
    cli: ['accounts', 'chain', 'node', 'scenarios', 'service', 'localnet'],
    'deploy.ts': ['cli', 'deployment', 'project'],
    'main.ts': ['cli', 'localnet'],
    'scenario.ts': ['cli'],
    'sign.ts': ['cli'],
    'start.ts': ['cli', 'console', 'project', 'service', 'localnet'],
  },
  sdk: {
    api: [],
    errors: ['api'],
    admin: ['api'],
    client: ['api', 'errors'],
    quote: ['api', 'errors'],
    tracking: ['api'],
    wallet: ['api', 'client', 'errors'],
    checks: ['api', 'errors', 'quote'],
    conversion: ['api', 'checks', 'client', 'errors', 'quote', 'tracking', 'wallet'],
    stream: ['api', 'client', 'errors', 'quote', 'tracking'],
    replacement: ['api', 'checks', 'conversion', 'errors', 'wallet'],
    testing: [],
    'createAgio.ts': ['api', 'client', 'conversion', 'quote', 'replacement', 'stream'],
    'testing.ts': ['testing'],
    'createAgioAdmin.ts': ['admin', 'client'],
    'admin.ts': ['admin', 'createAgioAdmin.ts', 'errors'],
    trpc: ['api', 'errors'],
    'trpc.ts': ['trpc'],
  },
  console: {
    storage: [],
    settings: ['storage'],
    plot: [],
    time: [],
    tabs: [],
    ui: [],
    amount: ['ui'],
    session: ['settings', 'storage'],
    service: ['session'],
    errors: ['amount', 'service', 'session', 'time', 'ui'],
    'wallet/testWallet': ['amount', 'settings', 'storage', 'tabs', 'ui'],
    wallet: ['errors', 'settings', 'storage', 'ui', 'wallet/testWallet'],
    'convert/conversions': ['amount', 'errors', 'service', 'settings', 'storage', 'tabs', 'time', 'ui', 'wallet'],
    'convert/issues': ['amount', 'errors', 'service', 'ui', 'wallet'],
    'convert/quote': ['amount', 'service', 'time', 'ui'],
    'convert/form': [
      'amount',
      'convert/conversions',
      'convert/issues',
      'convert/quote',
      'errors',
      'service',
      'settings',
      'time',
      'ui',
      'wallet',
    ],
    convert: ['convert/conversions', 'convert/form', 'convert/quote', 'wallet'],
    receipt: ['amount', 'errors', 'plot', 'service', 'settings', 'storage', 'time', 'ui'],
    pools: ['amount', 'errors', 'plot', 'service', 'settings', 'time', 'ui'],
    'developers/code': [],
    'developers/request': [],
    'developers/calls': ['developers/code', 'developers/request', 'errors', 'service', 'ui'],
    'developers/health': ['developers/request', 'errors', 'settings', 'time', 'ui'],
    'developers/scenarios': ['developers/request', 'errors', 'service', 'settings', 'ui'],
    developers: ['developers/calls', 'developers/health', 'developers/scenarios', 'settings', 'ui'],
    'usage/calls': ['amount', 'plot', 'time', 'ui'],
    'usage/currentKey': ['amount', 'errors', 'service', 'session', 'settings', 'time', 'ui', 'usage/calls'],
    'usage/keys': ['amount', 'errors', 'service', 'session', 'settings', 'time', 'ui', 'usage/calls'],
    usage: ['amount', 'errors', 'service', 'session', 'ui', 'usage/calls', 'usage/currentKey', 'usage/keys'],
    shell: [
      'convert',
      'developers',
      'pools',
      'receipt',
      'service',
      'settings',
      'storage',
      'ui',
      'usage',
      'wallet',
      'wallet/testWallet',
    ],
    'main.tsx': ['settings', 'shell', 'wallet', 'wallet/testWallet'],
  },
}

const importPattern = /^(?:import|export) (type )?(?:[^'"]*?from )?'@agio\/(\w+)[^']*'|import\('@agio\/(\w+)/gm

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

it('every form of a relative import is found', () => {
  const forms = [
    "import './a.ts'",
    "import b from '../b.ts'",
    "export * from './c.ts'",
    "await import('./d.ts')",
    "import type { E } from './e.ts'",
  ]
  expect(listRelativeImports(forms.join('\n'))).toEqual(['./a.ts', '../b.ts', './c.ts', './d.ts', './e.ts'])
})

it.each(Object.keys(allowed))('the folders of %s do not import each other in a circle', async (name) => {
  expect(findCircle(await readFolderImports(name))).toBeUndefined()
})

it.each(Object.keys(allowed))('the files of %s do not import each other in a circle, nor their types', async (name) => {
  expect(findCircle(await readFileImports(name))).toBeUndefined()
})

it('a circle of imports is found, and a file that is imported twice is not one', () => {
  const toImports = (files: Record<string, string[]>) =>
    new Map(Object.entries(files).map(([file, others]) => [file, new Set(others)]))
  expect(findCircle(toImports({ a: ['b'], b: ['c', 'd'], c: ['d'], d: ['b'] }))).toEqual(['b', 'c', 'd', 'b'])
  expect(findCircle(toImports({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toBeUndefined()
})

/** The folders of a package's sources, and the files in `src` itself, each with those that it imports; tests left out. */
async function readFolderImports(name: string): Promise<Map<string, Set<string>>> {
  const imports = new Map<string, Set<string>>()
  for (const [path, files] of await readFileImports(name)) {
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

/** Folders or files that import each other, from one of them back to itself; undefined if they form no circle. */
function findCircle(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const imported of imports.get(node) ?? []) {
      const circle = visit(imported, [...path, node])
      if (circle) return circle
    }
    done.add(node)
    return undefined
  }
  for (const node of imports.keys()) {
    const circle = visit(node, [])
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
