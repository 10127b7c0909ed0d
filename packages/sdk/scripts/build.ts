// Builds the package: a module and a declaration file for each entry. Run by `pnpm --filter @agio/sdk build`.
import { execFileSync } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { rollup, type Plugin } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import manifest from '../package.json' with { type: 'json' }
import { writeLicenses } from './writeLicenses.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const source = join(folder, 'src')
const declarations = join(folder, 'build')
const target = join(folder, 'dist')
const { resolve } = createRequire(import.meta.url)

/** The entries, each by the name of its file: `index`, `admin` and so on. */
const entries = Object.values(manifest.publishConfig.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default.slice('./dist/'.length, -'.js'.length)],
)

/** The modules that `index` exports and other entries use. */
const exportedModules = /\/build\/(api\/\w+|errors\/AgioError)\.[jt]s$/

/** Makes the declarations of the other entries import from `index` what it exports, instead of repeating it. */
const importFromIndex: Plugin = {
  name: 'import-from-index',
  resolveId(specifier, importer) {
    if (importer === undefined) return null
    const isExported = exportedModules.test(join(dirname(importer), specifier))
    return isExported ? { id: './index.js', external: true } : null
  },
}

await rm(target, { recursive: true, force: true })
await writeLicenses(await writeModules(), join(target, 'licenses.txt'))
await writeDeclarations()
// Instructions for agents that write code with the package.
await cp(join(folder, '../../docs/skills'), join(target, 'skills'), { recursive: true })

/** Writes a module for each entry. Returns the bundled files. Entries share chunks, so that each class exists once. */
async function writeModules(): Promise<readonly string[]> {
  const modules = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry, join(source, `${entry}.ts`)])),
    platform: 'neutral',
    transform: { target: 'es2022' },
    // Leaves unused modules out: no module has an effect when it is imported.
    treeshake: { moduleSideEffects: false },
    // Omits the comments with the paths of the bundled files.
    experimental: { attachDebugInfo: 'none' },
    external: [/^viem($|\/)/],
  })
  const { output } = await modules.write({ dir: target, format: 'esm', chunkFileNames: 'shared-[hash].js' })
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** Writes one declaration file for each entry, and a copy for CommonJS modules, which may require the same ES module. */
async function writeDeclarations(): Promise<void> {
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', folder], { stdio: 'inherit' })
  for (const entry of entries) {
    const types = await rollup({
      input: join(declarations, `${entry}.d.ts`),
      plugins: [...(entry === 'index' ? [] : [importFromIndex]), dts()],
      external: [/^viem($|\/)/, '@trpc/server'],
    })
    const file = join(target, `${entry}.d.ts`)
    await types.write({ file })
    const text = (await readFile(file, 'utf8')).replaceAll(`'./index.js'`, `'./index.cjs'`)
    await writeFile(join(target, `${entry}.d.cts`), text)
  }
  await rm(declarations, { recursive: true })
}
