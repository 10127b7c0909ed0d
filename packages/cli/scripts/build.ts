// Builds the command into modules that contain its parser. Run by `pnpm pack:all`.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }
import { writeLicenses } from '../../sdk/scripts/writeLicenses.ts'

const folder = join(import.meta.dirname, '..')
const target = join(folder, 'dist')

await rm(target, { recursive: true, force: true })
const modules = await rolldown({
  cwd: folder,
  input: { main: join(folder, 'src/main.ts') },
  platform: 'node',
  transform: { target: 'node22' },
  experimental: { attachDebugInfo: 'none' },
  external: Object.keys(manifest.dependencies).map((name) => new RegExp(`^${name}($|/)`)),
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message)
  },
})
const { output } = await modules.write({ dir: target, format: 'esm', chunkFileNames: '[name]-[hash].js' })
const files = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
await writeLicenses(files, join(target, 'licenses.txt'))
