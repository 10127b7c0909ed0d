import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import { maxUint256 } from 'viem'
import { describe, expect, inject, it } from 'vitest'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { readBalance } from '../harness/readBalance.ts'
import { createHolder } from '../harness/createHolder.ts'
import { approve, encodeApproval, execute, send } from './approve.ts'
import { readAllowance } from './readAllowance.ts'
import { kindsOf, requestPlan } from './requestPlan.ts'
import { requestPreviewed, requestQuoted, type Terms } from './requestTerms.ts'
import type { Wallet } from '../harness/Wallet.ts'

const [target] = inject('targets')
const chain = target.chains[target.chainId]

const call = createTrpcCaller(target)

describe('approvals by transactions', () => {
  const { router } = chain.deployment
  const tokenOf = (symbol: string) => chain.tokens[symbol] as Address

  const planFor = (wallet: Wallet, terms: Terms, change: object = {}) =>
    requestPlan(call, { ...terms.plan, ownerAddress: wallet.address, ...change })

  /** Builds and sends a conversion that needs no other approval. */
  async function convert(wallet: Wallet, { build, tokenOut, outRaw }: Terms): Promise<void> {
    const built = await call('transaction.buildConvert', { ...build, userAddress: wallet.address })
    expect(built).toMatchObject({ status: 200, data: { issues: [] } })
    await send(wallet, built.data?.['transaction'])
    expect(await readBalance(chain, tokenOut, wallet.address)).toBe(outRaw)
  }

  it.each([
    ['a quote', requestQuoted, { from: 'tEUR', to: 'tUSD', amountOut: '20' }],
    ['amounts', requestPreviewed, { from: 'tEUR', to: 'tAUD', amountIn: '20' }],
  ] as const)(
    'a token that demands a reset gets it before the approval, for %s',
    async (_, requestTerms, conversion) => {
      const wallet = await createHolder(chain, { tEUR: '100' })
      await approve(wallet, tokenOf('tEUR'), [router, 1_000_000n])
      const another = { to: tokenOf('tEUR'), data: encodeApproval(router, 2_000_000n) }
      expect(await wallet.send(another)).toMatchObject({ status: 'reverted' })
      const terms = await requestTerms(call, chain, conversion)
      const { steps, currentAllowance } = await planFor(wallet, terms)
      expect(kindsOf(steps)).toEqual(['reset', 'approve'])
      expect(currentAllowance).toBe('1.000000')
      for (const { reason } of steps) expect(reason).toMatch(/^[A-Z].+\.$/)
      await execute(wallet, steps)
      expect(await readAllowance(chain, terms.tokenIn, [wallet.address, router])).toBe(terms.capRaw)
      expect((await planFor(wallet, terms)).steps).toEqual([])
      await convert(wallet, terms)
    },
  )

  it('a token that demands a reset needs none from an allowance of zero, and nothing where the allowance is enough', async () => {
    const wallet = await createHolder(chain, { tEUR: '100' })
    const terms = await requestQuoted(call, chain, { from: 'tEUR', to: 'tUSD', amountIn: '20' })
    const { steps } = await planFor(wallet, terms)
    expect(kindsOf(steps)).toEqual(['approve'])
    await execute(wallet, steps)
    expect((await planFor(wallet, terms)).steps).toEqual([])
  })

  it('a token that takes any allowance needs no reset', async () => {
    const wallet = await createHolder(chain, { tUSD: '100' })
    await approve(wallet, tokenOf('tUSD'), [router, 1_000_000n])
    const terms = await requestQuoted(call, chain, { from: 'tUSD', to: 'tEUR', amountIn: '20' })
    const { steps } = await planFor(wallet, terms)
    expect(kindsOf(steps)).toEqual(['approve'])
    await execute(wallet, steps)
    await convert(wallet, terms)
  })

  it('a plan that prefers approvals has no signature, and approves any amount only if that is wished', async () => {
    const wallet = await createHolder(chain, { tAUD: '100' })
    const terms = await requestPreviewed(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '20' })
    const { steps } = await planFor(wallet, terms, { prefer: 'approve' })
    expect(kindsOf(steps)).toEqual(['approve'])
    await execute(wallet, steps)
    expect(await readAllowance(chain, terms.tokenIn, [wallet.address, router])).toBe(20_000_000n)

    const unlimited = await planFor(wallet, terms, { amount: '30', prefer: 'approve', unlimited: true })
    expect(kindsOf(unlimited.steps)).toEqual(['approve'])
    await execute(wallet, unlimited.steps)
    expect(await readAllowance(chain, terms.tokenIn, [wallet.address, router])).toBe(maxUint256)
    await convert(wallet, terms)
  })

  it('the fallback of a signature by Permit2 resets an allowance of the router, and converts without the signature', async () => {
    const wallet = await createHolder(chain, { tEUR: '100' })
    await approve(wallet, tokenOf('tEUR'), [permit2Address, maxUint256])
    await approve(wallet, tokenOf('tEUR'), [router, 1_000_000n])
    const terms = await requestQuoted(call, chain, { from: 'tEUR', to: 'tUSD', amountIn: '20' })
    const { steps } = await planFor(wallet, terms)
    expect(kindsOf(steps)).toEqual(['permit2'])
    expect(kindsOf(steps[0]?.fallback)).toEqual(['reset', 'approve'])
    await execute(wallet, steps[0]?.fallback)
    await convert(wallet, terms)
  })
})
