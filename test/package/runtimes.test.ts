import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createProject, type Project } from './createProject.ts'
import { installTool } from './npm.ts'
import { runOrThrow } from './run.ts'

type Runtime = {
  readonly name: string
  readonly isInstalled?: boolean
  readonly find: () => Promise<readonly string[]>
}

const deno = fileURLToPath(new URL('../../node_modules/.bin/deno', import.meta.url))

const runtimes: readonly Runtime[] = [
  { name: 'Node.js 20', find: () => findTool({ name: 'node', version: '20.20.2' }) },
  { name: 'Node.js 22', find: () => findTool({ name: 'node', version: '22.23.3' }) },
  { name: 'Node.js 24', isInstalled: true, find: () => Promise.resolve([process.execPath]) },
  { name: 'Deno', isInstalled: true, find: () => Promise.resolve([deno, 'run', '--allow-all']) },
  { name: 'Bun', find: () => findTool({ name: 'bun', version: '1.4.5' }) },
]

let project: Project

beforeAll(async () => {
  project = await createProject({ from: new URL('projects/runtimes/', import.meta.url) })
})

afterAll(() => project[Symbol.asyncDispose]())

for (const { name, isInstalled = false, find } of runtimes) {
  it.skipIf(!isInstalled && !inject('isOnline'))(`the packed SDK calls the service on ${name}`, async () => {
    const [target] = inject('targets')
    if (!target) throw new Error('Cannot run the test: no service is running')
    const [command = '', ...args] = await find()
    const printed = await runOrThrow(command, [...args, 'main.mjs', target.url, target.apiKey], { cwd: project.folder })
    const { pools } = target.chains[84532]
    expect(JSON.parse(printed)).toEqual({ pools: Object.keys(pools).length, code: 'svc/invalid-transaction' })
  })
}

/** Installs a runtime, and returns the command that runs a file. */
async function findTool(tool: { readonly name: string; readonly version: string }): Promise<readonly string[]> {
  const folder = await installTool(inject('tools'), tool)
  const { bin } = createRequire(import.meta.url)(join(folder, 'package.json')) as {
    readonly bin: Record<string, string>
  }
  return [join(folder, bin[tool.name] ?? '')]
}
