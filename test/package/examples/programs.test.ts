import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { testAccounts } from '../../../packages/sdk/src/testing.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { connectOwner } from '../../harness/connectOwner.ts'
import type { Project } from '../createProject.ts'
import { run, runOrThrow } from '../run.ts'
import { createExample, examples } from './createExample.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const chain = target.chains[84532]
const { client } = connectOwner(chain)
const deno = fileURLToPath(new URL('../../../node_modules/.bin/deno', import.meta.url))
const { address: account } = testAccounts[2]
const { tUSD } = chain.tokens

describe.skipIf(!inject('isOnline'))('the example for Node and viem', () => {
  let project: Project
  const start = (file: string) => run(process.execPath, [file], { cwd: project.folder })

  beforeAll(async () => {
    project = await createExample('node-viem')
    await runOrThrow(process.execPath, ['claim.ts'], { cwd: project.folder })
  })

  afterAll(() => project[Symbol.asyncDispose]())

  it('compiles', async () => {
    const compiler = join(project.folder, 'node_modules/typescript/bin/tsc')
    expect(await run(process.execPath, [compiler], { cwd: project.folder })).toMatchObject({ code: 0, stdout: '' })
  })

  it('converts by ten lines, which the next one prints', async () => {
    const source = await readFile(join(project.folder, 'convert.ts'), 'utf8')
    const lines = source.split('\n').filter((line) => line !== '')
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toMatch(/^console\.log/)
    expect(await start('convert.ts')).toMatchObject({
      code: 0,
      stdout: 'Paid 100.000000 tAUD, received 65.087440 tUSD\n',
    })
  })

  it('goes on from the stored step after its process has ended, and converts once', async () => {
    const file = join(project.folder, 'stopped.ts')
    const source = await readFile(join(project.folder, 'resumable.ts'), 'utf8')
    const stop = "store(step)\n    if (step.kind === 'convert' && step.status === 'sent') process.exit(9)"
    await writeFile(file, source.replace('store(step)', stop))
    const before = await readBalance(chain, tUSD, account)
    const sent = await client.getTransactionCount({ address: account })
    expect(await start('stopped.ts')).toMatchObject({ code: 9 })
    const step = JSON.parse(await readFile(join(project.folder, 'conversion.json'), 'utf8')) as object
    expect(step).toMatchObject({ kind: 'convert' })
    const printed = expect.stringContaining('Received 65.087440') as string
    expect(await start('resumable.ts')).toMatchObject({ code: 0, stdout: printed })
    expect(await client.getTransactionCount({ address: account })).toBe(sent + 1)
    expect((await readBalance(chain, tUSD, account)) - before).toBe(65_087_440n)
    await expect(access(join(project.folder, 'conversion.json'))).rejects.toThrow('ENOENT')
  })
})

describe.skipIf(!inject('isOnline'))('the example for Deno', () => {
  it('pays for an exact output, with only the permission of its task', async () => {
    await using project = await createExample('deno', ['viem'])
    const printed = await runOrThrow(deno, ['task', 'convert'], { cwd: project.folder, env: { NO_COLOR: '1' } })
    const lines = printed.trim().split('\n')
    expect(lines[0]).toMatch(/^50 tUSD cost 46\.\d{6} tEUR, and at most 46\.\d{6}$/)
    expect(lines.map((line) => line.replace(/ 0x.*| $/, ''))).toEqual(
      expect.arrayContaining(['quote done', 'approve sent', 'approve done', 'convert sent', 'confirm done']),
    )
    expect(lines.at(-1)).toMatch(/^Paid 46\.\d{6} tEUR$/)
  })
})

it('the example in Python converts over plain HTTP, and again', async () => {
  const cwd = fileURLToPath(new URL('python/', examples))
  const env = { AGIO_URL: target.url, AGIO_API_KEY: target.apiKey, RPC_URL: chain.rpcUrl }
  for (let round = 0; round < 2; round++) {
    const printed = await runOrThrow('python3', ['convert.py'], { cwd, env })
    expect(printed).toContain('approve - ')
    expect(printed).toContain('paid 100.000000 tAUD, received 65.087440 tUSD')
  }
})
