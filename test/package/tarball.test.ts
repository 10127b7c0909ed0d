import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, type Project } from './createProject.ts'

/** The largest size of each file for the compiler, in bytes. */
const declarationBudgets: Readonly<Record<string, number>> = {
  'admin.d.ts': 28_000,
  'index.d.ts': 173_000,
  'messages.d.ts': 2_000,
  'testing.d.ts': 12_000,
  'trpc.d.ts': 4_000,
}

let project: Project
let folder: string

beforeAll(async () => {
  project = await createProject()
  folder = join(project.folder, 'node_modules/@agio/sdk')
})

afterAll(() => project[Symbol.asyncDispose]())

it('the tarball holds modules, declarations, licenses, skills and a page, and nothing else', async () => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).toSorted()
  const shared = names.filter((name) => /^dist\/shared-[\w-]+\.js$/.test(name))
  const entries = ['admin', 'index', 'messages', 'testing', 'trpc'].flatMap((entry) => [
    `dist/${entry}.d.cts`,
    `dist/${entry}.d.ts`,
    `dist/${entry}.js`,
  ])
  const skills = ['integrate-conversion', 'receive-webhooks', 'test-with-faults'].map(
    (skill) => `dist/skills/${skill}/SKILL.md`,
  )
  const expected = [...skills, 'LICENSE', 'README.md', 'package.json', 'dist/licenses.txt', ...entries, ...shared]
  expect(names).toEqual(expected.toSorted())
})

it('the manifest of the tarball depends on nothing, and names no other package of the workspace', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, object>
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('private')
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|@agio\/(?!sdk)/)
  expect(manifest).toMatchObject({ sideEffects: false, publishConfig: { access: 'public', provenance: true } })
  for (const peer of Object.keys(manifest['peerDependencies'] ?? {}))
    expect(manifest['peerDependenciesMeta']).toHaveProperty([peer], { optional: true })
})

it('installing the tarball installs no other package', async () => {
  const installed = await readdir(join(project.folder, 'node_modules'))
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@agio'])
})

it('no file of the tarball has a source of the service, zod, or a path of the workspace', async () => {
  const names = (await readdir(join(folder, 'dist'))).filter((name) => name !== 'skills')
  for (const name of names) {
    const text = await readFile(join(folder, 'dist', name), 'utf8')
    expect(text, name).not.toMatch(/@agio\/(?!sdk)|\bzod\b|packages\/|node_modules|\.\.\/|trpc-to-openapi|drizzle|hono/)
  }
})

it('the declarations of the main and of the admin entry import nothing but each other', async () => {
  for (const name of ['index.d.ts', 'admin.d.ts']) {
    const text = await readFile(join(folder, 'dist', name), 'utf8')
    const specifiers = [...text.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g)].map(
      ([, from, dynamic]) => from ?? dynamic,
    )
    expect(new Set(specifiers), name).toEqual(new Set(name === 'index.d.ts' ? [] : ['./index.js']))
  }
})

it.each(Object.entries(declarationBudgets))('the declarations %s have at most %i bytes', async (name, budget) => {
  const { size } = await stat(join(folder, 'dist', name))
  console.log(`${name}: ${size} of ${budget} bytes`)
  expect(size).toBeLessThanOrEqual(budget)
})
