// Packs the package into the folder of its argument, and prints the path of the tarball. The exports of the workspace are
// the sources. As with `pnpm pack`, the entries of the tarball are those of `publishConfig`, which `npm pack` ignores.
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import manifest from '../package.json' with { type: 'json' }
import './build.ts'

const folder = resolve(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? '.')

const { access, provenance, ...entries } = manifest.publishConfig
const {
  scripts: _,
  devDependencies: __,
  ...published
} = { ...manifest, ...entries, publishConfig: { access, provenance } }

const draft = await mkdtemp(join(tmpdir(), 'agio-sdk-'))
try {
  for (const name of ['LICENSE', 'README.md', 'dist'])
    await cp(join(folder, name), join(draft, name), { recursive: true })
  await writeFile(join(draft, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  const args = ['pack', '--loglevel=error', '--pack-destination', target]
  const name = execFileSync('npm', args, { cwd: draft, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  console.log(join(target, name))
} finally {
  await rm(draft, { recursive: true, force: true })
}
