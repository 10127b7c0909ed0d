import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Address } from '@agio/core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { testAccounts } from '../../packages/sdk/src/testing.ts'
import { fund } from '../harness/createHolder.ts'
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

for (const [index, { name, isInstalled = false, find }] of runtimes.entries()) {
  it.skipIf(!isInstalled && !inject('isOnline'))(`the packed SDK converts on ${name}`, async () => {
    const [target] = inject('targets')
    if (!target) throw new Error('Cannot run the test: no service is running')
    const { url, apiKey, chains } = target
    const { chainId, rpcUrl, tokens } = chains[84532]
    // The node signs for its own accounts. Each runtime has one for itself.
    const account = testAccounts[index + 4]?.address as Address
    await fund(chains[84532], account, { tAUD: '100' })
    const terms = { chainId, tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'], amountIn: '60' }
    const settings = JSON.stringify({ url, apiKey, rpcUrl, account, terms })
    const [command = '', ...args] = await find()
    const printed = await runOrThrow(command, [...args, 'main.mjs', settings], { cwd: project.folder })
    expect(JSON.parse(printed)).toEqual({
      kinds: ['quote', 'permit', 'confirm'],
      status: 'success',
      amountIn: '60.000000',
      code: 'svc/invalid-transaction',
    })
  })
}

it.skipIf(!inject('isOnline'))(
  'a CommonJS test of Jest requires the packed SDK, with the option of docs/sdk',
  async () => {
    const page = await readFile(new URL('../../docs/sdk/README.md', import.meta.url), 'utf8')
    const [, option = ''] = /^NODE_OPTIONS=(\S+) npx jest$/m.exec(page) ?? []
    await using jest = await createProject({ dependencies: ['jest@30.5.2'] })
    const entries = ['@agio/sdk', '@agio/sdk/admin', '@agio/sdk/messages', '@agio/sdk/trpc']
    const code = `for (const name of ${JSON.stringify(entries)}) test(name, () => expect(require(name)).toBeDefined())`
    await writeFile(join(jest.folder, 'sdk.test.cjs'), code)
    await writeFile(join(jest.folder, 'jest.config.json'), JSON.stringify({ testMatch: ['**/*.test.cjs'] }))
    await runOrThrow(process.execPath, [option, 'node_modules/jest/bin/jest.js', '--ci'], { cwd: jest.folder })
  },
)

/** Installs a runtime, and returns the command that runs a file. */
async function findTool(tool: { readonly name: string; readonly version: string }): Promise<readonly string[]> {
  const folder = await installTool(inject('tools'), tool)
  const { bin } = createRequire(import.meta.url)(join(folder, 'package.json')) as {
    readonly bin: Record<string, string>
  }
  return [join(folder, bin[tool.name] ?? '')]
}
