import type { Address } from '@agio/core'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { testAccounts } from '../../../packages/sdk/src/testing.ts'
import { readBalance } from '../../harness/readBalance.ts'
import { connectOwner } from '../../harness/connectOwner.ts'
import type { Project } from '../createProject.ts'
import { run, runOrThrow } from '../run.ts'
import { createExample } from './createExample.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const chain = target.chains[84532]
const { client } = connectOwner(chain)
const { address: account } = testAccounts[2]
const tokenOf = (symbol: string) => chain.tokens[symbol] as Address

/** Counts the transactions that a program sends by the account of the example. */
async function countSent(program: () => Promise<void>): Promise<number> {
  const before = await client.getTransactionCount({ address: account })
  await program()
  return (await client.getTransactionCount({ address: account })) - before
}

describe.skipIf(!inject('isOnline'))('the example for Node and viem', () => {
  let project: Project
  const start = (file: string) => run(process.execPath, [file], { cwd: project.folder })

  beforeAll(async () => {
    project = await createExample('node-viem')
    await runOrThrow(process.execPath, ['claim.ts'], { cwd: project.folder })
  })

  afterAll(() => project[Symbol.asyncDispose]())

  /** Converts by the ten lines, with other tokens than those that they name. */
  async function convert(from: string, to: string): Promise<string> {
    const source = await readFile(join(project.folder, 'convert.ts'), 'utf8')
    const pair = `['${tokenOf(from)}', '${tokenOf(to)}'] as const`
    await writeFile(join(project.folder, 'pair.ts'), source.replace(/\[aud, usd\] = .*/, `[aud, usd] = ${pair}`))
    return await runOrThrow(process.execPath, ['pair.ts'], { cwd: project.folder })
  }

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

  it('converts a token with permits by one transaction', async () => {
    const sent = await countSent(async () => {
      expect(await convert('tAUD', 'tUSD')).toBe('Paid 100.000000 tAUD, received 65.087440 tUSD\n')
    })
    expect(sent).toBe(1)
  })

  it('converts over two hops by one transaction', async () => {
    const before = await readBalance(chain, tokenOf('tEUR'), account)
    const sent = await countSent(async () => {
      expect(await convert('tAUD', 'tEUR')).toMatch(/^Paid 100\.000000 tAUD, received \d+\.\d{6} tEUR\n$/)
    })
    expect(sent).toBe(1)
    expect(await readBalance(chain, tokenOf('tEUR'), account)).toBeGreaterThan(before)
  })

  it('converts a token that needs a reset by a reset, an approval and the conversion', async () => {
    const spender = chain.deployment.router
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 1n] })
    const hash = await client.sendTransaction({ account, chain: null, to: tokenOf('tEUR'), data })
    await client.waitForTransactionReceipt({ hash })
    const sent = await countSent(async () => {
      expect(await convert('tEUR', 'tUSD')).toMatch(/^Paid 100\.000000 tEUR, received \d+\.\d{6} tUSD\n$/)
    })
    expect(sent).toBe(3)
  })

  it('goes on from the stored step after its process has ended, and converts once', async () => {
    const file = join(project.folder, 'stopped.ts')
    const source = await readFile(join(project.folder, 'resumable.ts'), 'utf8')
    const stop = "store(step)\n    if (step.kind === 'convert' && step.status === 'sent') process.exit(9)"
    await writeFile(file, source.replace('store(step)', stop))
    const before = await readBalance(chain, tokenOf('tUSD'), account)
    const sent = await countSent(async () => {
      expect(await start('stopped.ts')).toMatchObject({ code: 9 })
      expect(JSON.parse(await readFile(join(project.folder, 'conversion.json'), 'utf8'))).toMatchObject({
        kind: 'convert',
      })
      expect(await start('resumable.ts')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Received 65.087440'),
      })
    })
    expect(sent).toBe(1)
    expect((await readBalance(chain, tokenOf('tUSD'), account)) - before).toBe(65_087_440n)
    await expect(access(join(project.folder, 'conversion.json'))).rejects.toThrow('ENOENT')
  })
})
