// Builds the package: a module with its declarations, the styles of the card, and the script of the custom element.
import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { rolldown, type InputOptions } from 'rolldown'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { styles } from '../src/card/styles.ts'
import { writeLicenses } from '../../sdk/scripts/writeLicenses.ts'

const folder = join(import.meta.dirname, '..')
const declarations = join(folder, 'build')
const target = join(folder, 'dist')
/** What the module imports: the packages of the page. */
const external = [/^react($|\/)/, /^@agio\/sdk($|\/)/]

const shared: InputOptions = {
  cwd: folder,
  platform: 'browser',
  // Omits the comments with the paths of the bundled files.
  experimental: { attachDebugInfo: 'none' },
}

await rm(target, { recursive: true, force: true })
await writeModule()
await writeLicenses(await writeElement(), join(target, 'licenses.txt'))
await writeDeclarations()
await writeFile(join(target, 'convert.css'), styles)

/** Writes the module. Its directive lets pages of a React server import it. */
async function writeModule(): Promise<void> {
  const modules = await rolldown({
    ...shared,
    input: 'src/index.ts',
    external,
    treeshake: { moduleSideEffects: false },
    transform: { target: 'es2022', jsx: { runtime: 'automatic', development: false } },
  })
  await modules.write({ file: join(target, 'index.js'), format: 'esm', banner: "'use client'\n" })
}

/** Writes the script of the element with React and the SDK. Returns the bundled files. */
async function writeElement(): Promise<readonly string[]> {
  const script = await rolldown({
    ...shared,
    input: 'src/element.tsx',
    transform: {
      target: 'es2022',
      jsx: { runtime: 'automatic', development: false },
      define: { 'process.env.NODE_ENV': '"production"' },
    },
  })
  const { output } = await script.write({ file: join(target, 'agio-convert.js'), format: 'iife', minify: true })
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

async function writeDeclarations(): Promise<void> {
  const { resolve } = createRequire(import.meta.url)
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
  const args = [
    '--rootDir',
    join(folder, '..'),
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rewriteRelativeImportExtensions',
  ]
  // The declarations of the SDK are those of its own package.
  execFileSync(process.execPath, [compiler, '--project', folder, ...args, '--outDir', declarations], {
    stdio: 'inherit',
  })
  const types = await rollup({ input: findIndex(), plugins: [dts()], external })
  await types.write({ file: join(target, 'index.d.ts') })
  await rm(declarations, { recursive: true })
}

/** The compiler also emits the sources of the SDK, so its root is the folder of the packages. */
function findIndex(): string {
  return join(declarations, 'react/src/index.d.ts')
}
