import { MultiProcessMutex } from '@nomicfoundation/hardhat-utils/synchronization'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectRoot } from '../project/projectRoot.ts'

const hashFile = join(projectRoot, 'artifacts/.sources-hash')

/**
 * Compiles the contracts if their sources have changed. Takes milliseconds if they have not.
 *
 * Several processes may call it at once: one process compiles, the other processes wait.
 *
 * @throws `Error` with the compiler's messages
 */
export async function compileContracts({ onProgress }: compileContracts.Options): Promise<void> {
  if (await isCompiled()) return
  await mkdir(join(projectRoot, 'cache'), { recursive: true })
  await new MultiProcessMutex(join(projectRoot, 'cache/compile.lock'), 120_000).use(async () => {
    if (await isCompiled()) return
    onProgress(
      existsSync(hashFile) ? 'Compiling the changed contracts' : 'Compiling the contracts (about 10 s, only once)',
    )
    const sources = await hashSources()
    await runBuild()
    await writeFile(hashFile, await toBuildHash(sources))
  })
}

export declare namespace compileContracts {
  type Options = { readonly onProgress: (message: string) => void }
}

async function isCompiled(): Promise<boolean> {
  const written = await readFile(hashFile, 'utf8').catch(() => undefined)
  return written !== undefined && written === (await toBuildHash(await hashSources()))
}

// Every build changes Hardhat's cache file. After a build by another command, only Hardhat knows which artifacts are
// current.
async function toBuildHash(sources: string): Promise<string> {
  const cache = await stat(join(projectRoot, 'cache/compile-cache.json')).catch(() => undefined)
  return `${sources} ${cache?.mtimeMs}`
}

/** Returns one hash of everything that determines the artifacts: sources, compiler settings and versions of imports. */
async function hashSources(): Promise<string> {
  const sources = await Array.fromAsync(glob('contracts/**/*.sol', { cwd: projectRoot }))
  const compiled = sources.filter((path) => !path.endsWith('.t.sol')).sort()
  const hash = createHash('sha256')
  for (const path of [...compiled, 'hardhat.config.ts', 'pnpm-lock.yaml']) {
    hash.update(`${path}\n`).update(await readFile(join(projectRoot, path)))
  }
  return hash.digest('hex')
}

// In a child process: Hardhat prints to the console, and the compiler does not release its memory.
async function runBuild(): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('hardhat')), 'cli.js')
  await new Promise<void>((resolve, reject) => {
    const options = { cwd: projectRoot, env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: 'true' } }
    const build = execFile(process.execPath, [cli, 'build', '--no-tests', '--quiet'], options, (error, out, err) => {
      process.off('exit', kill)
      if (error) reject(new Error(`Cannot compile the contracts:\n${out}${err}`))
      else resolve()
    })
    const kill = () => build.kill()
    process.once('exit', kill)
  })
}
