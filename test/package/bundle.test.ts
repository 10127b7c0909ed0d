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

it.each([
  ['a page with the client', '.', 40_000],
  ['everything', 'everything', 42_000],
])(
  '%s, built by Vite in a project without viem, has modules of less than its limit, gzipped',
  async (name, root, limit) => {
    const folder = join(project.folder, root)
    await runOrThrow(process.execPath, [vite, 'build', '--target', 'es2022'], { cwd: folder })
    const assets = join(folder, 'dist/assets')
    const texts = await Promise.all((await readdir(assets)).map((file) => readFile(join(assets, file), 'utf8')))
    const bytes = gzipSync(texts.join('\n')).length
    console.log(`${name}: ${bytes} bytes, gzipped`)
    expect(bytes).toBeLessThan(limit)
  },
)
