import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { createAgio, type PinnedContracts, type QuoteRequest } from '../../packages/sdk/src/index.ts'
import { addPool } from '../chains/addPool.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { deployFamilyRouter } from '../harness/deployFamilyRouter.ts'
import { startAgio } from '../harness/startAgio.ts'
import { writeContract } from '../harness/writeContract.ts'
import { executeQuote, requestQuote } from '../harness/executeQuote.ts'
import { setUp } from '../harness/setUp.ts'

const stack = setUp(() =>
  startAgio({
    prepare: async (localnet) => {
      ;[local, other] = [localnet.chains[84532], localnet.chains[421614]]
      pool = await deploySecondPool(localnet)
      familyRouter = await deployFamilyRouter(other, localnet.deploymentsDir)
      return {}
    },
  }),
)
let local: LocalChain
let other: LocalChain
/** A second pool of the pair, which the router does not use. */
let pool: Address
/** The router of the second chain. */
let familyRouter: Address

const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('a quote for a pool', () => {
  const pair = () => ({ chainId: 84532, tokenIn: local.tokens['tAUD'], tokenOut: local.tokens['tUSD'] })

  it.each([{ amountIn: '12.5' }, { amountOut: '12.5' }])(
    'a quote of %j for a pool that the router does not use calls that pool, and is executed exactly',
    async (amount) => {
      const input = { ...pair(), ...amount, poolAddress: pool }
      const executed = await executeQuote(stack.callers.REST, local, input)
      expect(executed.quoted).toMatchObject({ spender: pool, route: [{ address: pool, fee: '0.10%' }] })
      expect([executed.paidRaw, executed.receivedRaw]).toEqual([executed.amountInRaw, executed.amountOutRaw])
      expect(executed.sent['convert']).toMatchObject({
        actualAmountOut: executed.quoted.amountOut,
        fee: { rate: '0.10%' },
      })
    },
  )

  it('a quote for the pool that the router uses calls the router, and pays a recipient', async () => {
    const poolAddress = local.pools['tAUD/tUSD']
    const input = { ...pair(), amountOut: '12.5', poolAddress, recipient } as const
    const executed = await executeQuote(stack.callers.REST, local, input)
    expect(executed.quoted).toMatchObject({ spender: local.deployment.router })
    expect(executed.receivedRaw).toBe(12_500_000n)
  })

  it('the issue of a wallet without an allowance names the pool as the spender', async () => {
    const input = { ...pair(), amountIn: '1', poolAddress: pool, userAddress: recipient }
    const { data } = await stack.callers.REST('convert.quote', input)
    expect(data).toMatchObject({
      issues: [
        { code: 'svc/insufficient-allowance', message: expect.stringContaining('allowance of the pool') },
        { code: 'svc/insufficient-balance' },
      ],
    })
  })

  it('a wallet approves the pool of a quote, which takes no signatures', async () => {
    const { quote } = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '1', poolAddress: pool })
    const { data } = await stack.callers.REST('approval.plan', { quote, ownerAddress: recipient, prefer: 'permit' })
    const reason = `Approves the pool ${pool} for exactly 1.000000 tAUD, because only the router accepts signatures.`
    expect(data).toMatchObject({ spenderAddress: pool, steps: [{ kind: 'approve', reason }] })
    await expectNoPermit({ quote, userAddress: recipient })
  })
})

describe('a quote for a router that swaps exact inputs only', () => {
  const pair = (to = 'tEUR') => ({ chainId: 421614, tokenIn: other.tokens['tAUD'], tokenOut: other.tokens[to] })

  it.each(['tUSD', 'tEUR'])(
    'a quote of an exact output of %s takes exactly the smallest input, which is fixed, and pays at least that output',
    async (to) => {
      const input = { ...pair(to), amountOut: '1234.567891' }
      const { quoted, paidRaw, receivedRaw, amountInRaw } = await executeQuote(stack.callers.REST, other, input)
      expect(quoted).toMatchObject({ mode: 'exact-out', amountOut: '1234.567891', maxAmountIn: quoted.amountIn })
      expect(paidRaw).toBe(amountInRaw)
      expect(receivedRaw).toBeGreaterThanOrEqual(1_234_567_891n)
      // A unit of tAUD buys less than one of the others.
      expect(receivedRaw - 1_234_567_891n).toBeLessThanOrEqual(1n)
      const failure = { code: 'svc/invalid-request', field: 'slippageBps' }
      const refused = await stack.callers.REST('convert.quote', { ...input, slippageBps: 10 })
      expect(refused).toMatchObject({ status: 400, failure })
    },
  )

  it('a wallet approves such a router, which does not accept signatures, by a plan or in a batch', async () => {
    const { quote } = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '1' })
    const { data } = await stack.callers.REST('approval.plan', { quote, ownerAddress: recipient })
    const reason = expect.stringContaining('because the router of this network does not accept signatures')
    expect(data).toMatchObject({ spenderAddress: familyRouter, steps: [{ kind: 'approve', reason }] })
    await expectNoPermit({ quote, userAddress: recipient })
    const built = await stack.callers.tRPC('transaction.buildConvert', { quote, userAddress: recipient })
    expect(built.data).toMatchObject({
      calls: [{ to: other.tokens['tAUD'] }, { to: familyRouter }],
      callGasLimits: [{ kind: 'approve' }, { kind: 'convert' }],
    })
    const { data: listed } = await stack.callers.REST('chains.list', {})
    const [, listedChain] = listed?.['chains'] as readonly Readonly<Record<string, unknown>>[]
    const token = { approvalMethods: ['approve'] }
    expect(listedChain).toMatchObject({ permit2: null, tokens: [token, token, token] })
  })

  it('a recipient that is the wallet itself needs no support of the router', async () => {
    const input = { ...pair(), amountIn: '1', userAddress: recipient, recipient } as const
    expect(await requestQuote(stack.callers.REST, input)).toMatchObject({ spender: familyRouter })
  })
})

/** Asserts that a build of a quote refuses signatures of both kinds, since its contract takes none. */
async function expectNoPermit(input: Readonly<Record<'quote' | 'userAddress', string>>): Promise<void> {
  for (const kind of ['permit', 'permit2']) {
    const permit = { kind, deadline: 4_102_444_800, signature: `0x${'5a'.repeat(65)}` }
    expect(await stack.callers.tRPC('transaction.buildConvert', { ...input, permit })).toMatchObject({
      status: 422,
      failure: { code: 'svc/invalid-permit', reason: 'domain', action: 'approve' },
    })
  }
}

/** Deploys another pool of tAUD/tUSD, with another fee, and adds it to the deployment of the first chain. */
async function deploySecondPool({ chains, deploymentsDir }: Localnet): Promise<Address> {
  const { tokens, pools } = chains[84532]
  const owner = connectOwner(chains[84532])
  const [base, quote] = [tokens['tAUD'], tokens['tUSD']] as [Address, Address]
  const [baseReader, quoteReader] = await Promise.all(
    [base, quote].map((token) =>
      owner.client.readContract({
        address: pools['tAUD/tUSD'],
        abi: poolAbi,
        functionName: 'assimilator',
        args: [token],
      }),
    ),
  )
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.001'), owner: owner.address }
  const config = { name: 'tAUD/tUSD', symbol: 'LP', base, quote, baseReader, quoteReader, ...parameters }
  const address = await owner.deploy('Pool', [config])
  for (const token of [base, quote]) {
    const args = [address, 10n ** 12n] as const
    await writeContract(owner.client, { address: token, abi: tokenAbi, functionName: 'mint', args })
  }
  await addPool(chains[84532], deploymentsDir, address)
  return address
}

describe('a client of the SDK that converts at a pool', () => {
  const convert = async (contracts: PinnedContracts, request: QuoteRequest) => {
    const agio = createAgio({ url: stack.url, apiKey, contracts })
    const wallet = await stack.wallet({ tAUD: '100' }, { chainId: request.chainId })
    return await agio.convert({ quote: await agio.quote(request), wallet })
  }
  const ofSecondPool = () =>
    ({
      chainId: 84532,
      tokenIn: local.tokens['tAUD'],
      tokenOut: local.tokens['tUSD'],
      amountIn: '12.5',
      poolAddress: pool,
    }) as const

  it('pays a pool that the application names', async () => {
    const { router, pools } = local.deployment
    expect(await convert({ 84532: { router, pools: [...pools, pool] } }, ofSecondPool())).toMatchObject({
      status: 'success',
      amountIn: '12.500000',
    })
  })

  it('error: convert/mismatch with spender for a pool that neither the application nor its factory names', async () => {
    const { router, factory } = local.deployment
    const refused = { code: 'convert/mismatch', details: { field: 'spender', actual: pool } }
    await expect(convert({ 84532: { router, factory } }, ofSecondPool())).rejects.toMatchObject(refused)
  })
})
