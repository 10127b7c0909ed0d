import { execFile } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { localServiceDefaults } from '@agio/localnet'
import { expect, it } from 'vitest'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skills = (await Array.fromAsync(glob('docs/skills/*/SKILL.md', { cwd: root }))).toSorted()
const packages = {
  '@agio/sdk': 'packages/sdk',
  '@agio/localnet': 'packages/localnet',
  viem: 'test/node_modules/viem',
  standardwebhooks: 'test/node_modules/standardwebhooks',
}

const agio = setUp(() => startAgio(localServiceDefaults))

it('there are skills', () => expect(skills).toHaveLength(3))

it.each(skills)('each block of %s runs, in order, beside the others', async (path) => {
  const folder = await mkdtemp(join(tmpdir(), 'agio-skill-'))
  for (const [name, target] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, target), link)
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const blocks = listBlocks(await readFile(join(root, path), 'utf8'))
  expect(blocks.length).toBeGreaterThan(1)
  for (const { language, text } of blocks) expect(await run(language, toLocal(text), folder)).not.toBe('')
  await rm(folder, { recursive: true })
  await agio.scenarios.reset()
})

type Block = { readonly language: string; readonly text: string }

function listBlocks(page: string): readonly Block[] {
  return Array.from(page.matchAll(/^```(.*)\n([\s\S]*?)^```/gm), ([, language = '', text = '']) => ({ language, text }))
}

/** Names the stack of the test instead of the usual one. */
function toLocal(text: string): string {
  return text
    .replaceAll('http://127.0.0.1:3000', agio.url)
    .replaceAll('http://127.0.0.1:8545', agio.localnet.chains[84532].rpcUrl)
}

/** Runs a block, and returns what shows that it ran. @throws `Error` if it fails, or prints an error of the service */
async function run(language: string, text: string, cwd: string): Promise<string> {
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: cwd }
  const execute = async (file: string, args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(file, args, { cwd, env })
    if (stdout.includes('"success":false')) throw new Error(stdout)
    return stdout
  }
  if (language === 'sh') return await execute('bash', ['-euc', text])
  if (language !== 'ts') throw new Error(`The test cannot run a block of ${language}`)
  const name = /^\/\/ (\S+\.ts)$/m.exec(text)?.[1] ?? 'block.ts'
  await writeFile(join(cwd, name), text)
  if (name.endsWith('.test.ts')) return await execute(process.execPath, ['--test', name])
  // A module without output is used by a later block. Its import shows that it loads.
  return `${name} ${await execute(process.execPath, [name])}`
}
