// Builds and packs the published packages, and prints the path and the size of each tarball. Run by `pnpm pack:all`.
import { execFileSync } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '../../..')
const target = resolve(process.argv[2] ?? join(root, 'dist'))

await mkdir(target, { recursive: true })
runScript('console/scripts/build.ts')
const sdk = runScript('sdk/scripts/pack.ts', target).split('\n').at(-1) ?? ''
const react = runScript('react/scripts/pack.ts', target).split('\n').at(-1) ?? ''
runScript('localnet/scripts/build.ts', target)
runScript('cli/scripts/build.ts')
for (const tarball of [sdk, react, packByPnpm('localnet'), packByPnpm('cli')]) {
  const { size } = await stat(tarball)
  console.log(`${tarball}  ${(size / 1e6).toFixed(1)} MB`)
}

/** Runs a script of a package. Returns what it prints. */
function runScript(path: string, ...args: readonly string[]): string {
  return run(process.execPath, [join(root, 'packages', path), ...args])
}

/** Packs a package with the exports and the versions that pnpm writes. Returns the path of the tarball. */
function packByPnpm(name: string): string {
  const args = ['--dir', join(root, 'packages', name), 'pack', '--json', '--pack-destination', target]
  const { filename } = JSON.parse(run('npx', ['-y', 'pnpm@12', ...args])) as { readonly filename: string }
  return resolve(target, filename)
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}
