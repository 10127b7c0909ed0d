import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, type Project } from './createProject.ts'
import { runOrThrow } from './run.ts'

const { resolve } = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'))
const vite = join(dirname(resolve('vite/package.json')), 'bin/vite.js')

let project: Project

beforeAll(async () => {
  project = await createProject({ from: new URL('projects/bundle/', import.meta.url) })
})

afterAll(() => project[Symbol.asyncDispose]())

it('a page of Vite with the client has less than 39 kB of modules, gzipped, in a project without viem', async () => {
  await runOrThrow(process.execPath, [vite, 'build', '--target', 'es2022'], { cwd: project.folder })
  const assets = join(project.folder, 'dist/assets')
  const texts = await Promise.all((await readdir(assets)).map((name) => readFile(join(assets, name), 'utf8')))
  const bytes = gzipSync(texts.join('\n')).length
  console.log(`page with the client: ${bytes} bytes, gzipped`)
  expect(bytes).toBeLessThan(39_000)
})
