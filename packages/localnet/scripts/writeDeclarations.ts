import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { rollup, type Plugin } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import manifest from '../package.json' with { type: 'json' }

const { resolve } = createRequire(import.meta.url)
/** The packages that the published modules import. */
export const external = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]

/** The entries with types, each by the name of its file. */
const entries = Object.values(manifest.publishConfig.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default.slice('./dist/'.length, -'.js'.length)],
)

/**
 * Writes one declaration file for each entry with types. It contains the declarations of the workspace and of zod, and imports
 * those of dependencies.
 */
export async function writeDeclarations(folder: string, target: string): Promise<void> {
  const declarations = join(folder, 'build')
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
  for (const entry of entries) {
    const types = await rollup({
      input: join(declarations, 'packages/localnet/src', `${entry}.d.ts`),
      plugins: [createResolver(declarations), dts()],
      external: (id) => !/^[./]|^zod$|^@agio\/(?!sdk)/.test(id),
    })
    const { output } = await types.write({ file: join(target, `${entry}.d.ts`) })
    const foreign = output[0].imports.filter((id) => !isAllowed(id))
    if (foreign.length > 0) throw new Error(`Cannot publish the types of ${entry}: they import ${foreign.join(', ')}`)
  }
  await rm(declarations, { recursive: true })
}

function isAllowed(id: string): boolean {
  return id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`))
}

/** Finds the declarations of the packages that are bundled. */
function createResolver(declarations: string): Plugin {
  return {
    name: 'workspace',
    resolveId(specifier, importer) {
      if (specifier === 'zod') return resolve('zod').replace(/\.c?js$/, '.d.ts')
      if (importer !== undefined && /^\.\.?\//.test(specifier)) {
        // The compiler leaves the extensions of types that it has inferred.
        return join(dirname(importer), specifier.replace(/(\.d)?\.[jt]s$/, '.d.ts'))
      }
      const [, name, entry = 'index'] = /^@agio\/(core|chain|store|api|server)(?:\/(\w+))?$/.exec(specifier) ?? []
      if (name === undefined) return null
      const file = entry === 'abi' ? 'abi/index' : entry
      return join(declarations, 'packages', name, 'src', `${file}.d.ts`)
    },
  }
}
