import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runOrThrow } from './run.ts'

const sdk = fileURLToPath(new URL('../../packages/sdk', import.meta.url))

/** Builds `@agio/sdk`, packs it for publication, and returns the path of the tarball. */
export async function packTarball(folder: string): Promise<string> {
  await runOrThrow(process.execPath, ['scripts/build.ts'], { cwd: sdk })
  const printed = await runOrThrow('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: sdk,
  })
  const [packed] = JSON.parse(printed) as readonly { readonly filename: string }[]
  if (!packed) throw new Error('Cannot pack the package: npm names no tarball')
  return join(folder, packed.filename)
}
