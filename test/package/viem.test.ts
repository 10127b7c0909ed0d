import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, inject, it } from 'vitest'
import { createProject } from './createProject.ts'
import { run } from './run.ts'

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

it.skipIf(!inject('isOnline'))(
  'the types of viem and of the packed SDK fit each other without a cast, and each typo is an error',
  async () => {
    const from = new URL('projects/viem/', import.meta.url)
    await using project = await createProject({ from, dependencies: ['viem'] })
    const { stdout } = await run(process.execPath, [compiler, '--project', '.'], { cwd: project.folder })
    expect(stdout).toBe('')
  },
)
