import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, inject, it } from 'vitest'
import { longTests } from '../harness/timeLimits.ts'
import { run } from '../package/run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = await readFile(join(root, 'docs/develop/testing.md'), 'utf8')
const { resolve } = createRequire(import.meta.url)
const vitest = join(dirname(resolve('vitest/package.json')), 'vitest.mjs')

const timeout = longTests.wholeProgram

/** Writes the files of a section of the page, named by their first lines, into a project with the packages of the tests. */
async function createProject(section: string): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(inject('diskFolder'), 'agio-stack-page-'))
  const [, text = ''] = page.split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  for (const [, name = '', code = ''] of own.matchAll(/^```\w+\n\/\/ (\S+)\n(.*?)^```$/gms)) {
    await writeFile(join(folder, name), code.replaceAll("'../agio'", JSON.stringify(root)))
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await symlink(join(root, 'test/node_modules'), join(folder, 'node_modules'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** Adds a second file with the same tests. Its start must not show the price that the last test of the first file changes. */
async function copyTests(folder: string): Promise<void> {
  await cp(join(folder, 'convert.test.ts'), join(folder, 'again.test.ts'))
}

async function runIn(folder: string, [command = '', ...args]: readonly string[]): Promise<run.Result> {
  return await run(command, args, { cwd: folder, env: { HARDHAT_DISABLE_TELEMETRY: 'true', NO_COLOR: '1' } })
}

it.each([
  ['With node:test', [process.execPath, '--test'], /pass 1\n.*fail 0\n/s],
  ['With Deno', [resolve('deno/deno'), 'test', '--allow-all', '--no-check', '--node-modules-dir=manual'], /1 passed/],
  ['With vitest', [process.execPath, vitest, 'run', '--root=.'], /4 passed/],
])(
  'the tests of the section "%s" of docs/develop/testing.md pass as printed',
  { timeout },
  async (section, command, outcome) => {
    await using project = await createProject(section)
    if (section === 'With vitest') await copyTests(project.folder)
    const { code, stdout, stderr } = await runIn(project.folder, command)
    expect({ code, output: `${stdout}${stderr}` }).toEqual({
      code: 0,
      output: expect.stringMatching(outcome) as string,
    })
  },
)

it(
  'the setup of vitest refuses more workers than stacks in one sentence that says what to change',
  { timeout },
  async () => {
    await using project = await createProject('With vitest')
    await writeFile(
      join(project.folder, 'vitest.config.ts'),
      "export default { test: { globalSetup: 'globalSetup.ts' } }",
    )
    const { code, stderr } = await runIn(project.folder, [
      process.execPath,
      vitest,
      'run',
      '--root=.',
      '--maxWorkers=2',
    ])
    expect(code).toBe(1)
    expect(stderr).toContain(
      'Cannot share 1 stack between test files that run at the same time. Set fileParallelism to false in the config of vitest, ' +
        'or maxWorkers and the option stacks of setupAgio to the same number (now 2 and 1)',
    )
  },
)

it(
  'the child process of docs/develop/testing.md prints what the page shows, twice at the same time',
  { timeout },
  async () => {
    await using project = await createProject('From any language')
    const [, printed] = /```text\n(.*?)```/s.exec(page) ?? []
    const once = () => runIn(project.folder, [process.execPath, 'convert.js'])
    for (const { code, stdout, stderr } of await Promise.all([once(), once()]))
      expect({ code, stdout, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stdout: printed, stderr: '' })
  },
)

it(
  'the child process of docs/develop/testing.md reports a stack that ends before it is ready',
  { timeout },
  async () => {
    await using project = await createProject('From any language')
    const file = join(project.folder, 'convert.js')
    await writeFile(file, (await readFile(file, 'utf8')).replace("'--json'", "'--json', '--fork', 'nothing'"))
    const { code, stderr } = await runIn(project.folder, [process.execPath, 'convert.js'])
    expect(code).toBe(1)
    expect(stderr).toContain('Agio ended before it was ready')
  },
)
