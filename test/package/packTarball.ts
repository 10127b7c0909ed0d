import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runOrThrow } from './run.ts'

const sdk = fileURLToPath(new URL('../../packages/sdk', import.meta.url))

/** Packs `@agio/sdk` for publication, which builds it, and returns the path of the tarball. */
export async function packTarball(folder: string): Promise<string> {
  await rm(join(sdk, 'dist'), { recursive: true, force: true })
  // Scripts in the foreground would print between the lines of JSON.
  const args = ['pack', '--foreground-scripts=false', '--json', '--pack-destination', folder]
  const printed = await runOrThrow('npm', args, { cwd: sdk })
  const [packed] = JSON.parse(printed) as readonly { readonly filename: string }[]
  if (!packed) throw new Error('Cannot pack the package: npm names no tarball')
  return join(folder, packed.filename)
}
