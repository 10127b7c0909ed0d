import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MultiProcessMutex } from '@nomicfoundation/hardhat-utils/synchronization'
import { projectRoot } from '../projectRoot.ts'
import { fingerprintSources } from './fingerprintSources.ts'
import { runBuild } from './runBuild.ts'

const stampFile = join(projectRoot, 'artifacts/.fingerprint')

/**
 * Makes sure that the artifacts are those of the present sources. Takes milliseconds if they are.
 *
 * Any number of processes may ask at once: one compiles, the others wait for it.
 */
export async function compileContracts({ onProgress }: compileContracts.Options): Promise<void> {
  if (await isCompiled()) return
  await mkdir(join(projectRoot, 'cache'), { recursive: true })
  await new MultiProcessMutex(join(projectRoot, 'cache/compile.lock'), 120_000).use(async () => {
    if (await isCompiled()) return
    onProgress(existsSync(stampFile) ? 'Compiling what changed' : 'Compiling the contracts: some 10 seconds, once')
    const sources = await fingerprintSources()
    await runBuild()
    await writeFile(stampFile, await stamp(sources))
  })
}

export declare namespace compileContracts {
  type Options = { readonly onProgress: (message: string) => void }
}

async function isCompiled(): Promise<boolean> {
  const written = await readFile(stampFile, 'utf8').catch(() => undefined)
  return written !== undefined && written === (await stamp(await fingerprintSources()))
}

// Hardhat writes its cache file at every build, by whomever: after one that is not ours, only Hardhat knows.
async function stamp(sources: string): Promise<string> {
  const cache = await stat(join(projectRoot, 'cache/compile-cache.json')).catch(() => undefined)
  return `${sources} ${cache?.mtimeMs}`
}
