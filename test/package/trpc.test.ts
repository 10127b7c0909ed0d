import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createProject, type Project } from './createProject.ts'
import { run, runOrThrow } from './run.ts'

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const dependencies = [
  '@tanstack/react-query@5.108.0',
  '@trpc/client',
  '@trpc/server',
  '@trpc/tanstack-react-query@11.22.1',
  '@types/react@19.3.0',
  'react@19.3.1',
]

describe.skipIf(!inject('isOnline'))('a project with tRPC and TanStack Query', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProject({ from: new URL('projects/trpc/', import.meta.url), dependencies })
  })

  afterAll(() => project[Symbol.asyncDispose]())

  it('the router type gives hooks and clients their types, and each typo is an error', async () => {
    const { stdout } = await run(process.execPath, [compiler, '--project', '.'], { cwd: project.folder })
    expect(stdout).toBe('')
  })

  it('every link of tRPC reaches the service, alone and by the options of TanStack Query', async () => {
    const [target] = inject('targets')
    if (!target) throw new Error('Cannot run the test: no service is running')
    const printed = await runOrThrow(process.execPath, ['links.ts', target.url, target.apiKey], { cwd: project.folder })
    const { pools } = target.chains[84532]
    const expected = {
      pools: Object.keys(pools).length,
      chains: 2,
      code: 'svc/invalid-transaction',
      field: 'signedTransaction',
    }
    const found = printed.trim().split('\n')
    expect(found.map((line) => JSON.parse(line) as unknown)).toEqual([expected, expected, expected])
  })
})
