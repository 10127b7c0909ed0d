import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createProject, type Project } from './createProject.ts'
import { installTool } from './npm.ts'
import { run, runOrThrow } from './run.ts'

const workspaceCompiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
const oldest = { name: 'typescript', version: '5.9.3' }

const resolutions = [
  ['module', 'bundler', 'esnext'],
  ['module', 'node16', 'node16'],
  ['commonjs', 'node16', 'node16'],
  ['commonjs', 'bundler', 'preserve'],
] as const

const compilers = [
  { name: 'TypeScript 7', isSkipped: false, find: () => Promise.resolve(workspaceCompiler), resolutions },
  {
    name: 'TypeScript 5.9',
    isSkipped: !inject('isOnline'),
    find: () => installTool(inject('tools'), oldest),
    // Later versions have no `node10`.
    resolutions: [...resolutions, ['commonjs', 'node10', 'commonjs']] as const,
  },
]

describe('a project without other packages', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProject({ from: new URL('projects/types/', import.meta.url) })
  })

  afterAll(() => project[Symbol.asyncDispose]())

  describe.each(compilers)('with $name', ({ isSkipped, find, resolutions: tested }) => {
    it.skipIf(isSkipped).each(tested)(
      'compiles as a %s with skipLibCheck false and the module resolution %s, and each typo is an error',
      async (type, moduleResolution, module) => {
        await writeFile(join(project.folder, 'package.json'), JSON.stringify({ private: true, type }))
        const compiler = join(await find(), 'bin/tsc')
        const args = ['--project', '.', '--module', module, '--moduleResolution', moduleResolution]
        const { stdout } = await run(process.execPath, [compiler, ...args], { cwd: project.folder })
        expect(stdout).toBe('')
      },
    )
  })

  it('using the SDK makes the compiler check less than twice what it checks of an empty file', async () => {
    const empty = await measure('tsconfig.empty.json')
    const main = await measure('tsconfig.main.json')
    const timeRatio = (main.seconds / empty.seconds).toFixed(1)
    console.log(`using the SDK: ${main.checked} types for ${empty.checked}, ${timeRatio} times the time`)
    expect(main.checked).toBeLessThan(2 * empty.checked)
  })

  /** Compiles a file, and returns the number of types that were created or instantiated, and the time. */
  async function measure(config: string): Promise<{ readonly checked: number; readonly seconds: number }> {
    const compiler = join(workspaceCompiler, 'bin/tsc')
    const args = [
      compiler,
      '--project',
      config,
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--extendedDiagnostics',
    ]
    const printed = await runOrThrow(process.execPath, args, { cwd: project.folder })
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(printed)?.[1])
    return { checked: read('Types') + read('Instantiations'), seconds: read('Total time') }
  }
})

it.skipIf(!inject('isOnline'))(
  'the types of viem and of the packed SDK fit each other without a cast, and each typo is an error',
  async () => {
    const from = new URL('projects/viem/', import.meta.url)
    await using project = await createProject({ from, dependencies: ['viem'] })
    const { stdout } = await run(process.execPath, [join(workspaceCompiler, 'bin/tsc'), '--project', '.'], {
      cwd: project.folder,
    })
    expect(stdout).toBe('')
  },
)
