import { permit2Address } from '@agio/chain'
import { poolAbi, routerAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseAbi, parseEther, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { addPool } from '../chains/addPool.ts'
import { toReaderConfig } from '../harness/toReaderConfig.ts'
import { writeContract } from '../harness/writeContract.ts'
import { readBalance } from '../harness/readBalance.ts'
import { executeBy } from '../harness/swaps.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { createHolder, fund } from '../harness/createHolder.ts'
import { approve, encodeApproval, execute, send } from './approve.ts'
import { kindsOf, requestPlan, type Step } from './requestPlan.ts'
import { requestPreviewed, requestQuoted, type Terms } from './requestTerms.ts'
import { signStep, type Permit } from './signStep.ts'
import type { Sendable, Wallet } from '../harness/Wallet.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const stack = setUp(() =>
  startAgio({
    // A call that uses all gas takes seconds on a slow machine.
    nodeTimeoutMs: eventually.timeout,
    prepare: async ({ chains: local, deploymentsDir }) => {
      chain = await deployBytesPool(local[84532], deploymentsDir)
      return {}
    },
  }),
)
/** A chain with the token tGBP, whose permits work like those of USDC. */
let chain: LocalChain

const refused = {
  status: 422,
  failure: { code: 'svc/invalid-permit', reason: 'signer', action: 'approve', retryable: false },
}

describe('an account with code', () => {
  const call: AgioStack['callers']['REST'] = (operation, input) => stack.callers.REST(operation, input)

  const build = (wallet: Pick<Wallet, 'address'>, terms: Terms, permit?: Permit) =>
    call('transaction.buildConvert', { ...terms.build, userAddress: wallet.address, ...(permit && { permit }) })

  /** Requests the plan of a conversion of 10 tokens, and signs its only step. */
  async function signPlan(wallet: Wallet, terms: Terms, kind: 'permit' | 'permit2') {
    const { steps } = await requestPlan(call, { ...terms.plan, ownerAddress: wallet.address })
    expect(kindsOf(steps)).toEqual([kind])
    expect(kindsOf(steps[0]?.fallback)).toEqual(['approve'])
    return { step: steps[0] as Step, permit: await signStep(wallet, steps[0]) }
  }

  async function expectConverted(wallet: Wallet, terms: Terms, permit?: Permit): Promise<void> {
    const built = await build(wallet, terms, permit)
    expect(built).toMatchObject({ status: 200, data: { issues: [] } })
    const before = await readBalance(chain, terms.tokenOut, wallet.address)
    const sent = await wallet.countSent()
    await send(wallet, built.data?.['transaction'])
    expect(await wallet.countSent()).toBe(sent + 1)
    expect(await readBalance(chain, terms.tokenOut, wallet.address)).toBe(before + terms.outRaw)
  }

  /** A wallet with tokens that is delegated to a contract of tests. */
  async function createDelegated(contract: string, holding: Readonly<Record<string, string>>): Promise<Wallet> {
    const wallet = await createHolder(chain, holding)
    const delegate = await connectOwner(chain).deploy(`testing/${contract}`, [])
    expect(await wallet.delegate(delegate)).toMatchObject({ status: 'success' })
    const code = await connectOwner(chain).client.getCode({ address: wallet.address })
    expect(code).toBe(`0xef0100${delegate.slice(2).toLowerCase()}`)
    return wallet
  }

  const pounds = { from: 'tGBP', to: 'tAUD', amountIn: '10' } as const
  const dollars = { from: 'tUSD', to: 'tEUR', amountOut: '5' } as const

  it.each([
    ['permit', 'a quote', { tGBP: '100' }, pounds],
    ['permit', 'amounts', { tGBP: '100' }, pounds],
    ['permit2', 'a quote', { tUSD: '100' }, dollars],
  ] as const)(
    'a wallet that is delegated to a lax contract converts with one signature: a %s for %s',
    async (kind, from, holding, conversion) => {
      const requestTerms = from === 'a quote' ? requestQuoted : requestPreviewed
      const wallet = await createDelegated('LaxDelegate', holding)
      const terms = await requestTerms(call, chain, conversion)
      if (kind === 'permit2') await approve(wallet, terms.tokenIn, [permit2Address])
      const { permit } = await signPlan(wallet, terms, kind)
      await expectConverted(wallet, terms, permit)
    },
  )

  it.each([
    ['permit', { tGBP: '100' }, pounds],
    ['permit2', { tUSD: '100' }, dollars],
  ] as const)(
    'error: svc/invalid-permit for the %s of a wallet that is delegated to a strict contract; its fallback converts',
    async (kind, holding, conversion) => {
      const wallet = await createDelegated('StrictDelegate', holding)
      const terms = await requestQuoted(call, chain, conversion)
      if (kind === 'permit2') await approve(wallet, terms.tokenIn, [permit2Address])
      const { step, permit } = await signPlan(wallet, terms, kind)
      expect(await build(wallet, terms, permit)).toMatchObject(refused)
      await execute(wallet, step.fallback)
      await expectConverted(wallet, terms)
    },
  )

  it('a token that verifies only keys accepts the permit of a wallet that is delegated to a strict contract', async () => {
    const wallet = await createDelegated('StrictDelegate', { tAUD: '100' })
    const terms = await requestQuoted(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '10' })
    const { permit } = await signPlan(wallet, terms, 'permit')
    await expectConverted(wallet, terms, permit)
  })

  it('a wallet that is delegated to a contract without ERC-1271 is not asked for a signature that its contract must verify', async () => {
    const wallet = await createDelegated('BatchAccount', { tUSD: '100' })
    const terms = await requestQuoted(call, chain, dollars)
    await approve(wallet, terms.tokenIn, [permit2Address])
    const { steps } = await requestPlan(call, { ...terms.plan, ownerAddress: wallet.address })
    expect(kindsOf(steps)).toEqual(['approve'])
    await execute(wallet, steps)
    await expectConverted(wallet, terms)
  })

  it.each([
    ['permit', pounds],
    ['permit2', dollars],
  ] as const)(
    'a smart account converts with the %s that its owner signs, and the receipt names it as payer',
    async (kind, conversion) => {
      const wallet = await createHolder(chain, {})
      const address = await connectOwner(chain).deploy('testing/OwnedAccount', [wallet.address])
      await fund(chain, address, { tGBP: '100', tUSD: '100' })
      await approveByAccount(wallet, address)
      const terms = await requestQuoted(call, chain, conversion)
      const { steps } = await requestPlan(call, { ...terms.plan, ownerAddress: address })
      expect(kindsOf(steps)).toEqual([kind])
      const permit = await signStep(wallet, steps[0])
      const built = await build({ address }, terms, permit)
      expect(built).toMatchObject({ status: 200, data: { issues: [] } })
      const { to, data } = built.data as unknown as Sendable
      const execution = executeBy(address, [{ target: to, data }])
      const { hash } = await send(wallet, { to: address, data: execution.data })
      expect(await readBalance(chain, terms.tokenOut, address)).toBe(terms.outRaw)
      const receipt = await call('convert.receipt', { ...terms.receipt, transactionHash: hash })
      expect(receipt.data).toMatchObject({ status: 'success', payer: address, recipient: address })
    },
  )

  const harms = ['uses all gas', 'returns much data', 'reverts with much data', 'returns less than a word']

  it.each(partOf(harms))(
    'error: svc/invalid-permit for an account whose ERC-1271 %s, and the node stays available',
    async (harm) => {
      const address = await connectOwner(chain).deploy('testing/HostileSigner', [harms.indexOf(harm)])
      await fund(chain, address, { tGBP: '100', tUSD: '100' })
      const wallet = await createHolder(chain, { tAUD: '100' })
      await approveByAccount(wallet, address)
      for (const conversion of [pounds, dollars]) {
        const terms = await requestQuoted(call, chain, conversion)
        // Any response may come from a contract that verifies: then the approval is the fallback.
        const { steps } = await requestPlan(call, { ...terms.plan, ownerAddress: address })
        expect(kindsOf(steps[0]?.fallback ?? steps)).toEqual(['approve'])
        const kind = conversion === dollars ? 'permit2' : 'permit'
        const [signature, deadline] = [`0x${'5e'.repeat(65)}`, Math.floor(Date.parse(terms.expiresAt ?? '') / 1000)]
        for (let attempt = 0; attempt < 2; attempt += 1) {
          expect(await build({ address }, terms, { kind, deadline, signature })).toMatchObject(refused)
        }
      }
      const readHealth = async () => (await (await fetch(`${stack.url}/health`)).json()) as { readonly status: string }
      await expect.poll(readHealth, eventually).toMatchObject({ status: 'ok' })
      const tokens = { tokenAddress: chain.tokens.tAUD, amount: '1' }
      const { steps } = await requestPlan(call, { ...tokens, ownerAddress: wallet.address })
      expect(kindsOf(steps)).toEqual(['permit'])
    },
  )

  /** Makes a contract approve Permit2 for tUSD. */
  async function approveByAccount(wallet: Wallet, account: Address): Promise<void> {
    const approval = { target: chain.tokens.tUSD, data: encodeApproval(permit2Address) }
    await send(wallet, { to: account, data: executeBy(account, [approval]).data })
  }
})

const factoryAbi = parseAbi(['function addPool(address pool)'])

/**
 * Deploys a token with the permits of USDC, whose price is one dollar, and a pool of it and tUSD, and adds the pool to the
 * router and to the deployment file.
 *
 * @returns the chain with the token, as tGBP
 */
async function deployBytesPool(chain: LocalChain, deploymentsDir: string): Promise<LocalChain> {
  const owner = connectOwner(chain)
  const { router } = chain.deployment
  const base = await owner.deploy('testing/BytesPermitToken', ['Test Pound', 'tGBP', 6, owner.address])
  const oracle = await owner.deploy('testing/TestOracle', ['GBP / USD', 100_000_000n, owner.address])
  const baseReader = await owner.deploy('RateReader', [toReaderConfig(base, oracle)])
  const quote = chain.tokens['tUSD']
  const quoteReader = await owner.client.readContract({
    address: chain.pools['tAUD/tUSD'],
    abi: poolAbi,
    functionName: 'assimilator',
    args: [quote],
  })
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const config = { name: 'tGBP/tUSD', symbol: 'LP', base, quote, baseReader, quoteReader, ...parameters }
  const pool = await owner.deploy('Pool', [config])
  for (const address of [base, quote]) {
    const args = [pool, parseUnits('500000', 6)] as const
    await writeContract(owner.client, { address, abi: tokenAbi, functionName: 'mint', args })
  }
  const factory = await owner.client.readContract({ address: router, abi: routerAbi, functionName: 'factory' })
  await writeContract(owner.client, { address: factory, abi: factoryAbi, functionName: 'addPool', args: [pool] })
  await addPool(chain, deploymentsDir, pool)
  return { ...chain, tokens: { ...chain.tokens, tGBP: base } }
}
