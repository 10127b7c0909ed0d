// Builds the package: a module and one declaration file for each entry. Run by `pnpm --filter @agio/sdk build`.
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const entries = ['index', 'testing']
const external = ['viem', /^viem\//, '@trpc/server']

await rm(join(folder, 'dist'), { recursive: true, force: true })
const modules = await rolldown({
  cwd: folder,
  input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
  platform: 'neutral',
  external,
})
await modules.write({ dir: join(folder, 'dist'), format: 'esm' })

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '--project', folder], { stdio: 'inherit' })
for (const entry of entries) {
  const types = await rollup({ input: join(folder, `build/${entry}.d.ts`), plugins: [dts()], external })
  await types.write({ file: join(folder, `dist/${entry}.d.ts`) })
}
await rm(join(folder, 'build'), { recursive: true })
