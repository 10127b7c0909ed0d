import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { fund } from '../approvals/createHolder.ts'
import { readBalance } from '../quotes/readBalance.ts'
import { connectOwner } from '../stack/connectOwner.ts'
import { writeContract } from '../stack/writeContract.ts'
import { createProject, type Project } from './createProject.ts'
import { run, runOrThrow } from './run.ts'

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

describe.skipIf(!inject('isOnline'))('a project with viem', () => {
  let project: Project

  beforeAll(async () => {
    project = await createProject({ from: new URL('projects/viem/', import.meta.url), dependencies: ['viem'] })
  })

  afterAll(() => project[Symbol.asyncDispose]())

  it('the types of viem and of the SDK fit each other without a cast, and each typo is an error', async () => {
    const { stdout } = await run(process.execPath, [compiler, '--project', '.'], { cwd: project.folder })
    expect(stdout).toBe('')
  })

  it.each([
    ['a token with permits', { from: 'tAUD', to: 'tUSD', isApproved: false }],
    ['a token with permits over two pools', { from: 'tAUD', to: 'tEUR', isApproved: false }],
    ['a token without permits', { from: 'tUSD', to: 'tAUD', isApproved: false }],
    ['a token whose approval needs a reset', { from: 'tEUR', to: 'tUSD', isApproved: true }],
  ])('a program of ten lines converts %s', async (_, { from, to, isApproved }) => {
    const [target] = inject('targets')
    if (!target) throw new Error('Cannot run the test: no service is running')
    const chain = target.chains[84532]
    const [tokenIn, tokenOut] = [chain.tokens[from] as Address, chain.tokens[to] as Address]
    const privateKey = generatePrivateKey()
    const { address } = privateKeyToAccount(privateKey)
    await fund(chain, address, { [from]: '100' })
    const args = [chain.deployment.router, 1n] as const
    const approve = { abi: tokenAbi, functionName: 'approve', args, address: tokenIn, account: address } as const
    if (isApproved) await writeContract(connectOwner(chain).client, approve)
    const { url, apiKey } = target
    const settings = { url, apiKey, rpcUrl: chain.rpcUrl, privateKey, terms: { tokenIn, tokenOut, amountIn: '60' } }
    const program = ['convert.ts', JSON.stringify(settings)]
    const receipt: unknown = JSON.parse(await runOrThrow(process.execPath, program, { cwd: project.folder }))
    expect(receipt).toMatchObject({ status: 'success', payer: address, amountIn: '60.000000' })
    const { amountOut } = receipt as { readonly amountOut: string }
    expect(await readBalance(chain, tokenIn, address)).toBe(parseUnits('40', 6))
    expect(await readBalance(chain, tokenOut, address)).toBe(parseUnits(amountOut, 6))
  })
})
