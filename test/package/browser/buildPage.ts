import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createProject, type Project } from '../createProject.ts'
import { runOrThrow } from '../run.ts'

const { resolve } = createRequire(import.meta.url)
const vite = join(dirname(createRequire(resolve('vitest/package.json')).resolve('vite/package.json')), 'bin/vite.js')
const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')

/** Builds a page outside of the workspace with the packed package: the page in `dist`, and the wallet for it in `wallet/wallet.js`. */
export async function buildPage(): Promise<Project> {
  const project = await createProject({ from: new URL('../projects/page/', import.meta.url), dependencies: ['viem'] })
  const { folder: cwd } = project
  await runOrThrow(process.execPath, [compiler, '--project', '.'], { cwd })
  await runOrThrow(process.execPath, [vite, 'build', '--target', 'es2022'], { cwd })
  await runOrThrow(process.execPath, [vite, 'build', '--config', 'vite.wallet.config.js'], { cwd })
  return project
}
