import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { findChromium } from '../harness/findChromium.ts'
import { canReachRegistry } from './npm.ts'
import { runOrThrow } from './run.ts'

/** Packs the packages once for all tests, and looks whether they can install others beside it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const disk = project.config.provide.diskFolder ?? tmpdir()
  const folder = await mkdtemp(join(disk, 'agio-package-'))
  // Installed once: two tests that install it at the same time would lock each other out.
  await findChromium()
  const [isOnline, tarball, reactTarball] = await Promise.all([
    canReachRegistry(folder),
    packTarball('sdk', folder),
    packTarball('react', folder),
  ])
  project.provide('tarball', tarball)
  project.provide('reactTarball', reactTarball)
  project.provide('isOnline', isOnline)
  project.provide('tools', join(disk, 'agio-tools'))
  return () => rm(folder, { recursive: true })
}

/** Packs a package for publication, which builds it, and returns the path of the tarball. */
async function packTarball(name: 'sdk' | 'react', folder: string): Promise<string> {
  const cwd = fileURLToPath(new URL(`../../packages/${name}`, import.meta.url))
  await rm(join(cwd, 'dist'), { recursive: true, force: true })
  return (await runOrThrow(process.execPath, ['scripts/pack.ts', folder], { cwd })).trim()
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed `@agio/sdk`. */
    tarball: string
    /** The path of the packed `@agio/react`. */
    reactTarball: string
    /** Whether other packages can be installed. Tests that need them are skipped without it. */
    isOnline: boolean
    /** The folder of compilers, bundlers and runtimes, which later runs use again. */
    tools: string
  }
}
