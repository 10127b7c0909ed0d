import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Creates the folder with the shared files of all tests of a project, and removes it on disposal. */
export async function createRunFolder(project: TestProject): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'agio-test-run-'))
  project.provide('runFolder', path)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}
