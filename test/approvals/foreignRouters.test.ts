import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBalance } from '../harness/readBalance.ts'
import { deployFamilyRouter } from '../harness/deployFamilyRouter.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { createHolder } from '../harness/createHolder.ts'
import { kindsOf, requestPlan, type Plan } from './requestPlan.ts'
import { requestPreviewed, requestQuoted, type Terms } from './requestTerms.ts'
import { signStep } from './signStep.ts'
import type { Sendable, Wallet } from '../harness/Wallet.ts'

let stack: AgioStack
/** The chain whose router swaps exact inputs for its caller, and takes no signatures. */
let chain: LocalChain
let familyRouter: Address
/** A chain with our router. */
let other: LocalChain

beforeAll(async () => {
  stack = await startAgio({
    prepare: async ({ chains, deploymentsDir }) => {
      ;[chain, other] = [chains[84532], chains[421614]]
      familyRouter = await deployFamilyRouter(chain, deploymentsDir)
      return {}
    },
  })
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

const planFor = (wallet: Wallet, terms: Terms): Promise<Plan> =>
  requestPlan(stack.callers.REST, { ...terms.plan, ownerAddress: wallet.address })

it.each([
  { from: 'tAUD', to: 'tUSD', amountIn: '10' },
  { from: 'tUSD', to: 'tEUR', amountOut: '10' },
  { from: 'tEUR', to: 'tAUD', amountIn: '10' },
])('a router of others works by an approval, and the plan has the reason: %j', async (conversion) => {
  const { REST } = stack.callers
  const wallet = await createHolder(chain, { [conversion.from]: '100' })
  const terms = await requestQuoted(REST, chain, conversion)
  const approve = { abi: erc20Abi, functionName: 'approve', args: [permit2Address, maxUint256] } as const
  await wallet.send({ to: terms.tokenIn, data: encodeFunctionData(approve) })
  const plan = await planFor(wallet, terms)
  expect(plan).toMatchObject({ spenderAddress: familyRouter, steps: [{ kind: 'approve' }] })
  expect(plan.steps[0]?.reason).toMatch(/router/i)
  expect(await wallet.send(plan.steps[0]?.transaction as Sendable)).toMatchObject({ status: 'success' })
  const built = await REST('transaction.buildConvert', { ...terms.build, userAddress: wallet.address })
  expect(built).toMatchObject({ status: 200, data: { to: familyRouter, issues: [] } })
  expect(await wallet.send(built.data?.['transaction'] as Sendable)).toMatchObject({ status: 'success' })
  const received = await readBalance(chain, terms.tokenOut, wallet.address)
  expect(received).toBeGreaterThanOrEqual(terms.outRaw)
})

it('a build for a router of others has the batch of its approval and its conversion', async () => {
  const wallet = await createHolder(chain, { tEUR: '100' })
  const terms = await requestQuoted(stack.callers.tRPC, chain, { from: 'tEUR', to: 'tUSD', amountIn: '10' })
  const { data } = await stack.callers.tRPC('transaction.buildConvert', { ...terms.build, userAddress: wallet.address })
  expect(data).toMatchObject({
    issues: [{ code: 'svc/insufficient-allowance' }],
    calls: [{ to: terms.tokenIn }, { to: familyRouter }],
    callGasLimits: [{ kind: 'approve' }, { kind: 'convert' }],
  })
})

it('error: a signature is refused beside a conversion by a router of others', async () => {
  const wallet = await createHolder(other, { tAUD: '100' })
  const conversion = { from: 'tAUD', to: 'tUSD', amountIn: '10' }
  const terms = await requestPreviewed(stack.callers.REST, other, conversion)
  const { steps } = await planFor(wallet, terms)
  expect(kindsOf(steps)).toEqual(['permit'])
  const permit = await signStep(wallet, steps[0])
  const foreign = await requestPreviewed(stack.callers.REST, chain, conversion)
  for (const call of Object.values(stack.callers)) {
    const outcome = await call('transaction.buildConvert', { ...foreign.build, userAddress: wallet.address, permit })
    expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/invalid-permit', action: 'approve' } })
  }
})

it('the chains show which approvals each token can have by the router of its chain', async () => {
  const { data } = await stack.callers.REST('chains.list', {})
  const methodsOn = (chainId: number) => {
    const { tokens } = (data as { chains: readonly Chain[] }).chains.find((each) => each.chainId === chainId) as Chain
    return Object.fromEntries(tokens.map(({ symbol, approvalMethods }) => [symbol, approvalMethods]))
  }
  const [onlyApprove, withPermit2] = [['approve'], ['permit2', 'approve']]
  expect(methodsOn(chain.chainId)).toEqual({ tUSD: onlyApprove, tAUD: onlyApprove, tEUR: onlyApprove })
  expect(methodsOn(other.chainId)).toEqual({ tUSD: withPermit2, tAUD: ['permit', ...withPermit2], tEUR: withPermit2 })
})

type Chain = {
  readonly chainId: number
  readonly tokens: readonly { readonly symbol: string; readonly approvalMethods: readonly string[] }[]
}
