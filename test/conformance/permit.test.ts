import type { LocalChain } from '@agio/localnet'
import { expect, it } from 'vitest'
import { createTrader } from '../harness/createTrader.ts'
import { createWallet } from '../harness/createWallet.ts'
import { approvePermit2, suite } from './suite.ts'

type Step = { readonly kind: string; readonly typedData: unknown; readonly permit: Readonly<Record<string, unknown>> }

type Input = Readonly<Record<string, unknown>>

suite('conversions that a signature pays', ({ call, chain, chainId }) => {
  const { tAUD, tUSD } = chain.tokens
  const pair = { chainId, tokenIn: tAUD, tokenOut: tUSD }
  const amounts = { ...pair, amountIn: '100', minAmountOut: '65' }
  const refused = (reason: string) => ({
    status: 422,
    failure: { code: 'svc/invalid-permit', reason, action: 'approve', retryable: false },
  })

  /** Signs the first step of a plan, and returns the permit for the build. */
  async function sign(wallet: Wallet, input: Input) {
    const { data } = await call('approval.plan', { chainId, ownerAddress: wallet.address, ...input })
    const [step] = data?.['steps'] as readonly Step[]
    return { ...step?.permit, signature: await wallet.signTypedData(step?.typedData) }
  }

  const build = async (input: Input) => await call('transaction.buildConvert', input)

  it('a build with a permit lists a missing balance, and no allowance that the signature brings', async () => {
    const wallet = await createWallet(chain)
    const permit = await sign(wallet, { tokenAddress: tAUD, amount: '100' })
    const { data } = await build({ ...amounts, userAddress: wallet.address, permit })
    expect(data?.['issues']).toMatchObject([{ code: 'svc/insufficient-balance', required: '100.000000' }])
  })

  it('a build for Permit2 lists the allowance of Permit2 if that is missing by then', async () => {
    const wallet = await createHolder(chain, 'tUSD')
    await approvePermit2(chain, wallet.address)
    const { data } = await call('convert.quote', { ...pair, tokenIn: tUSD, tokenOut: tAUD, amountIn: '100' })
    const permit = await sign(wallet, { quote: data?.['quote'] })
    await approvePermit2(chain, wallet.address, 7_000_000n)
    const built = await build({ quote: data?.['quote'], userAddress: wallet.address, permit })
    expect(built.data?.['issues']).toMatchObject([
      {
        code: 'svc/insufficient-allowance',
        message: 'The allowance of Permit2 is too low: approve it for tUSD first',
        required: '100.000000',
        current: '7.000000',
      },
    ])
  })

  it('a permit of any amount, with the terms left out or repeated, is accepted', async () => {
    const wallet = await createHolder(chain, 'tAUD')
    const userAddress = wallet.address
    const unlimited = await sign(wallet, { tokenAddress: tAUD, amount: '100', unlimited: true })
    expect(await build({ ...amounts, userAddress, permit: unlimited })).toMatchObject({ status: 200 })
    const { amount: _, nonce: __, ...short }: Input = await sign(wallet, { tokenAddress: tAUD, amount: '100' })
    expect(await build({ ...amounts, userAddress, permit: short })).toMatchObject({ status: 200 })
  })

  it('error: svc/invalid-permit for a signature for Permit2 with terms that differ from its quote', async () => {
    const wallet = await createHolder(chain, 'tUSD')
    await approvePermit2(chain, wallet.address)
    const { data } = await call('convert.quote', { ...pair, tokenIn: tUSD, tokenOut: tAUD, amountIn: '100' })
    const { data: other } = await call('convert.quote', {
      ...pair,
      tokenIn: tUSD,
      tokenOut: tAUD,
      amountIn: '100',
      clientReference: 'another quote',
    })
    const permit = await sign(wallet, { quote: data?.['quote'] })
    const own = { quote: data?.['quote'], userAddress: wallet.address }
    const cases = [
      ['amount', { ...permit, amount: '101' }],
      ['deadline', { ...permit, deadline: 4_102_444_800 }],
      ['nonce', { ...permit, nonce: '7' }],
    ] as const
    for (const [reason, changed] of cases) {
      expect(await build({ ...own, permit: changed }), reason).toMatchObject(refused(reason))
    }
    const { nonce: _, deadline: __, ...rest }: Input = permit
    const expiry = Date.parse(String(other?.['expiresAt'])) / 1000
    const crossed = await build({ ...own, quote: other?.['quote'], permit: { ...rest, deadline: expiry } })
    expect(crossed).toMatchObject(refused('signer'))
    const unquoted = await build({ ...amounts, userAddress: wallet.address, permit })
    expect(unquoted).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'permit.kind' } })
  })

  it.each([
    ['kind', ['eip2612', 2612, null, undefined]],
    ['deadline', ['1795241836', 0, 1.5, 1_800_000_000_000, null, undefined]],
    ['signature', ['', '0x1', 'ab', 65, null, undefined]],
    ['amount', ['0', '-1', '1e3', 100, '0.0000001']],
    ['nonce', ['', '-1', '01', '0x0', 0, '1.5']],
    ['relayer', ['0x']],
  ] as const)('a permit with a malformed %s is refused by the field', async (name, values) => {
    const { address: userAddress } = await createWallet(chain)
    const permit = { kind: 'permit', deadline: 4_102_444_800, signature: `0x${'5a'.repeat(65)}` }
    for (const value of values) {
      const outcome = await build({ ...amounts, userAddress, permit: { ...permit, [name]: value } })
      const failure = { code: 'svc/invalid-request', field: `permit.${name}` }
      expect(outcome, JSON.stringify(value)).toMatchObject({ status: 400, failure })
    }
    for (const value of ['0x5a', 5, null, []]) {
      const outcome = await build({ ...amounts, userAddress, permit: value })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'permit' } })
    }
  })

  it('a malformed signature is not repeated in its error', async () => {
    const { address: userAddress } = await createWallet(chain)
    const signature = `0x${'5a'.repeat(32)}zz`
    for (const permit of [{ kind: 'permit', deadline: 4_102_444_800, signature }, signature]) {
      const outcome = await build({ ...amounts, userAddress, permit })
      expect(outcome).toMatchObject({ status: 400 })
      // Its random id may contain these digits by chance.
      const { requestId: _, ...failure } = outcome.failure ?? { code: '' }
      expect(JSON.stringify(failure)).not.toContain('5a5a')
    }
  })
})

type Wallet = Awaited<ReturnType<typeof createWallet>>

/** A wallet with 200 of a token, whose router may take none. */
async function createHolder(chain: LocalChain, symbol: 'tAUD' | 'tUSD'): Promise<Wallet> {
  return await createTrader(chain, { symbol, amount: '200', approved: '0' })
}
