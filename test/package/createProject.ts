import { access, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { getCatalogVersion, installPackages } from './npm.ts'

/**
 * Creates a project in an empty folder outside of the workspace, which has the packed `@agio/sdk` and other packages installed.
 * With dependencies it needs the registry: such tests are skipped if `inject('isOnline')` is false.
 *
 * @example
 * await using project = await createProject({ from: new URL('projects/types/', import.meta.url), dependencies: ['viem'] })
 * await runOrThrow(process.execPath, ['convert.ts'], { cwd: project.folder })
 */
export async function createProject({ from, dependencies = [] }: createProject.Options = {}): Promise<Project> {
  const folder = await mkdtemp(join(inject('diskFolder'), 'agio-project-'))
  if (from) {
    const filter = (path: string) => !['node_modules', 'dist'].includes(basename(path))
    await cp(fileURLToPath(from), folder, { recursive: true, filter })
  }
  const manifest = join(folder, 'package.json')
  await access(manifest).catch(() => writeFile(manifest, JSON.stringify({ private: true, type: 'module' })))
  const packages = await Promise.all(dependencies.map(toPackage))
  await installPackages(folder, [inject('tarball'), ...packages], inject('isOnline'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

export declare namespace createProject {
  type Options = {
    /** The folder that is copied, such as an example; its `package.json` is kept. Empty by default. */
    readonly from?: URL
    /** The packed `@agio/react`, and packages of the registry in the version of the catalog or in the given version: `typescript@5.9.3`. */
    readonly dependencies?: readonly string[]
  }
}

/** A project outside of the workspace. */
export type Project = AsyncDisposable & { readonly folder: string }

async function toPackage(dependency: string): Promise<string> {
  if (dependency === '@agio/react') return inject('reactTarball')
  return dependency.lastIndexOf('@') > 0 ? dependency : `${dependency}@${await getCatalogVersion(dependency)}`
}
