// Builds the package: modules that contain the packages of the workspace and of npm, the files that they read, and declarations.
// Run by `pnpm pack:all`, with the folder of the other packages.
import { cp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }
import { writeLicenses } from '../../sdk/scripts/writeLicenses.ts'
import { external, writeDeclarations } from './writeDeclarations.ts'

const folder = join(import.meta.dirname, '..')
const target = join(folder, 'dist')
const packed = process.argv[2]
if (packed === undefined) throw new Error('Usage: node packages/localnet/scripts/build.ts <folder of the packages>')
const downloads = {
  'agio-sdk.tgz': join(packed, `agio-sdk-${manifest.version}.tgz`),
  'agio-react.tgz': join(packed, `agio-react-${manifest.version}.tgz`),
  'agio-convert.js': join(packed, 'agio-convert.js'),
}

const require = createRequire(import.meta.url)
const resolveInStore = createRequire(join(folder, '../store/package.json')).resolve
const entries = Object.values(manifest.publishConfig.exports)
  .map((entry) => (typeof entry === 'string' ? entry : entry.default))
  .flatMap((path) => /^\.\/dist\/(\w+)\.js$/.exec(path)?.[1] ?? [])

/** The files of packages that are copied, for their licenses. */
const copied: string[] = []

/** Replaces each module `assets.ts` by one that names copies of the files. */
const assetsPlugin: Plugin = {
  name: 'assets',
  async load(id) {
    if (!/\/packages\/\w+\/src\/assets\/assets\.ts$/.test(id)) return null
    const { assets } = (await import(pathToFileURL(id).href)) as { readonly assets: Readonly<Record<string, string>> }
    const all = Object.entries({ ...assets, ...('agio-sdk.tgz' in assets && downloads) })
    for (const [name, path] of all) {
      await cp(path, join(target, 'assets', name), { recursive: true })
      copied.push(path)
    }
    const names = all.map(([name]) => `  '${name}': join(import.meta.dirname, 'assets/${name}'),`)
    const absent = ['export const checkout = undefined', 'export const engine = undefined']
    return ["import { join } from 'node:path'", ...absent, 'export const assets = {', ...names, '}'].join('\n')
  },
}

await rm(target, { recursive: true, force: true })
const files = [...(await writeModules()), ...(await copyEngine()), ...copied]
await writeLicenses(files, join(target, 'licenses.txt'))
await writeDeclarations(folder, target)

/** Writes a module for each entry and the chunks that they share. Returns the bundled files. */
async function writeModules(): Promise<readonly string[]> {
  const modules = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry, join(folder, 'src', `${entry}.ts`)])),
    platform: 'node',
    transform: {
      // Without `await using`, which Node 22 cannot parse.
      target: 'node22',
      inject: { AsyncDisposableStack: [require.resolve('@whatwg-node/disposablestack'), 'AsyncDisposableStack'] },
    },
    // Omits the comments with the paths of the bundled files.
    experimental: { attachDebugInfo: 'none' },
    external: external.map((name) => new RegExp(`^${name}($|/)`)),
    plugins: [assetsPlugin],
    onLog(level, log) {
      // PGlite evaluates code that Emscripten generated.
      const isKnown = log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' || (log.code === 'EVAL' && /pglite/.test(log.message))
      if (level === 'warn' && !isKnown) throw new Error(log.message)
    },
  })
  // PGlite finds its files beside its chunk.
  const { output } = await modules.write({ dir: target, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** Copies the engine of PGlite beside the modules. Returns the copied files. */
async function copyEngine(): Promise<readonly string[]> {
  const source = dirname(resolveInStore('@electric-sql/pglite'))
  const paths = ['pglite.wasm', 'pglite.data', 'initdb.wasm'].map((name) => join(source, name))
  for (const path of paths) await cp(path, join(target, path.slice(source.length)))
  return paths
}
