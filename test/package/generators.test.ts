import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect, inject, it } from 'vitest'
import { createProject } from './createProject.ts'
import { runOrThrow } from './run.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target

// The versions of docs/reference/openapi.md.
const generators = {
  'openapi-typescript': ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
  orval: ['orval@8.38.0', 'axios@1.21.1'],
  'openapi-zod-client': ['openapi-zod-client@1.18.3', '@zodios/core@10.9.6', 'axios@1.21.1', 'zod@3.25.76'],
} as const

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
}

it.skipIf(!inject('isOnline')).each(Object.entries(generators))(
  'the client that %s generates as the documentation says has correct types, and calls the service',
  async (name, packages) => {
    const { command, program } = await readExample(name)
    await using project = await createProject({ dependencies: [...packages, 'typescript@5.9.3', '@types/node'] })
    const cwd = project.folder
    await runOrThrow('bash', ['-euc', command], { cwd, env: { CI: '1' } })
    await writeFile(join(cwd, 'call.ts'), program)
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['call.ts'] }))
    await runOrThrow(process.execPath, [join(cwd, 'node_modules/typescript/bin/tsc')], { cwd })
    const printed = await runOrThrow(process.execPath, ['call.ts'], { cwd })
    expect(printed.trim().split(', ').toSorted()).toEqual(Object.keys(chains[84532].pools).toSorted())
  },
)

/** Reads the command and the program of a generator, for the running service. */
async function readExample(name: string) {
  const page = await readFile(new URL('../../docs/reference/openapi.md', import.meta.url), 'utf8')
  const blocks = /```sh skip\n([\s\S]*?)```\n\n```ts\n([\s\S]*?)```/.exec(page.slice(page.indexOf(`[${name}]`)))
  const [, command, program] = Array.from(blocks ?? [], (text) =>
    text.replaceAll('http://127.0.0.1:3000', url).replaceAll('local-key', apiKey),
  )
  if (command === undefined || program === undefined) throw new Error(`The page has no example of ${name}`)
  return { command, program }
}
