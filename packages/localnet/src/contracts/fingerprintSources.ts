import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../projectRoot.ts'

/** One hash of all that the artifacts are made of: sources, compiler settings, and the versions of what they import. */
export async function fingerprintSources(): Promise<string> {
  const sources = await Array.fromAsync(glob('contracts/**/*.sol', { cwd: projectRoot }))
  const compiled = sources.filter((path) => !path.endsWith('.t.sol')).sort()
  const hash = createHash('sha256')
  for (const path of [...compiled, 'hardhat.config.ts', 'pnpm-lock.yaml']) {
    hash.update(`${path}\n`).update(await readFile(join(projectRoot, path)))
  }
  return hash.digest('hex')
}
