import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import process from 'node:process'
import { inject } from 'vitest'
import { createProject, type Project } from '../createProject.ts'
import { runOrThrow } from '../run.ts'

/** The folder of the examples. */
export const examples = new URL('../../../examples/', import.meta.url)

/**
 * Copies an example, installs what it depends on with the packed `@agio/sdk`, and points it to the service and the node of the
 * tests: an example names the URLs of `pnpm start`.
 */
export async function createExample(name: string, dependencies: readonly string[] = []): Promise<Project> {
  const project = await createProject({ from: new URL(`${name}/`, examples), dependencies })
  for (const entry of await readdir(project.folder, { withFileTypes: true, recursive: true })) {
    const isSource = entry.isFile() && ['.ts', '.tsx'].includes(extname(entry.name))
    if (!isSource || entry.parentPath.includes('node_modules')) continue
    const file = join(entry.parentPath, entry.name)
    await writeFile(file, pointToTarget(await readFile(file, 'utf8')))
  }
  return project
}

/** Builds the script that announces a wallet to the pages of a project, and returns its path. */
export async function buildWallet(folder: string): Promise<string> {
  const files = ['src/wallet.ts', 'vite.wallet.config.js']
  for (const file of files) await cp(new URL(`../projects/page/${file}`, import.meta.url), join(folder, file))
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'))
  const vite = join(dirname(resolve('vite/package.json')), 'bin/vite.js')
  await runOrThrow(process.execPath, [vite, 'build', '--config', 'vite.wallet.config.js'], { cwd: folder })
  return join(folder, 'wallet/wallet.js')
}

/** Replaces the service, its key and the node of `pnpm start` in the text of an example. */
function pointToTarget(text: string): string {
  const [target] = inject('targets')
  if (!target) throw new Error('Cannot run the example: no service is running')
  return text
    .replaceAll('http://127.0.0.1:3000', target.url)
    .replaceAll('local-key', target.apiKey)
    .replaceAll('http://127.0.0.1:8545', target.chains[84532].rpcUrl)
}
