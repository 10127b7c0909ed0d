import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runOrThrow } from './run.ts'

const sdk = fileURLToPath(new URL('../../packages/sdk', import.meta.url))

/** Packs `@agio/sdk` for publication, which builds it, and returns the path of the tarball. */
export async function packTarball(folder: string): Promise<string> {
  await rm(join(sdk, 'dist'), { recursive: true, force: true })
  return (await runOrThrow(process.execPath, ['scripts/pack.ts', folder], { cwd: sdk })).trim()
}
