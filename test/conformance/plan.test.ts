import type { LocalChain } from '@agio/localnet'
import { createTestClient, http, maxUint256, parseUnits, recoverTypedDataAddress, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { createTrader } from '../harness/createTrader.ts'
import { getOtherChainId } from '../harness/networks.ts'
import { createWallet } from '../harness/createWallet.ts'
import { approvePermit2, permit2, suite } from './suite.ts'

type Step = {
  readonly kind: string
  readonly reason: string
  readonly typedData?: { readonly domain: object; readonly message: Readonly<Record<string, unknown>> }
  readonly permit?: Readonly<Record<'kind' | 'amount' | 'nonce', string>> & { readonly deadline: number }
  readonly fallback?: readonly Step[]
  readonly transaction?: Readonly<Record<'to' | 'data', Hex>>
  readonly walletTransaction?: object
}

suite('approval.plan', ({ call, chain, chainId }) => {
  const { tAUD, tUSD, tEUR } = chain.tokens
  const { router } = chain.deployment
  const kindsOf = (steps: readonly Step[] | undefined) => steps?.map(({ kind }) => kind)

  async function plan(input: Readonly<Record<string, unknown>>) {
    const { status, data, failure } = await call('approval.plan', { chainId, ...input })
    expect({ status, failure }).toEqual({ status: 200, failure: undefined })
    return data as { readonly steps: readonly Step[] } & Readonly<Record<string, unknown>>
  }

  async function quote(input: Readonly<Record<string, unknown>>) {
    const { data } = await call('convert.quote', { chainId, ...input })
    return data as Readonly<Record<string, string>>
  }

  it('a wallet signs a permit of a token that has EIP-2612, with an approval as the fallback', async () => {
    const { address: ownerAddress, signTypedData } = await createWallet(chain)
    const nowSeconds = Math.floor(Date.now() / 1000)
    const planned = await plan({ tokenAddress: tAUD, ownerAddress, amount: '10.5' })
    expect(planned).toMatchObject({
      spenderAddress: router,
      currentAllowance: '0.000000',
      requiredAmount: '10.500000',
      blockNumber: expect.any(Number),
    })
    expect(kindsOf(planned.steps)).toEqual(['permit'])
    const { typedData, permit, fallback } = planned.steps[0]!
    const deadline = permit?.deadline ?? 0
    expect(deadline).toBeGreaterThanOrEqual(nowSeconds + 300)
    expect(permit).toEqual({ kind: 'permit', deadline, amount: '10.500000', nonce: '0' })
    expect(typedData).toMatchObject({
      domain: { name: 'Test Australian Dollar', version: '1', chainId, verifyingContract: tAUD },
      message: { owner: ownerAddress, spender: router, value: '10500000', nonce: '0', deadline: String(deadline) },
    })
    const signature = await signTypedData(typedData)
    expect(await recoverTypedDataAddress({ ...typedData, signature } as never)).toBe(ownerAddress)
    expect(kindsOf(fallback)).toEqual(['approve'])
    const { data: approval } = await call('approval.build', {
      chainId,
      tokenAddress: tAUD,
      spenderAddress: router,
      amount: '10.5',
    })
    expect(fallback?.[0]?.transaction).toEqual(approval?.['transaction'])
  })

  it('a permit of any amount has the largest one, which the plan shows in whole tokens', async () => {
    const { address: ownerAddress } = await createWallet(chain)
    const { steps } = await plan({ tokenAddress: tAUD, ownerAddress, amount: '1', unlimited: true })
    expect(steps[0]?.typedData?.message['value']).toBe(maxUint256.toString())
    expect(parseUnits(steps[0]?.permit?.amount ?? '', 6)).toBe(maxUint256)
    expect(steps[0]?.fallback?.[0]?.transaction?.data).toMatch(/f{64}$/)
  })

  it('a plan is empty if the allowance is enough, whichever method is preferred', async () => {
    const { address: ownerAddress } = await createTrader(chain, { symbol: 'tAUD', amount: '10' })
    for (const prefer of [undefined, 'permit', 'approve']) {
      const planned = await plan({ tokenAddress: tAUD, ownerAddress, amount: '10', prefer })
      expect(planned).toMatchObject({ steps: [], currentAllowance: '10.000000' })
    }
  })

  it.each([
    [
      'a token without signatures',
      'tUSD',
      {},
      /^Approves the router for exactly 10\.000000 tUSD, because tUSD does not /,
    ],
    [
      'a permit that is preferred and not possible',
      'tUSD',
      { prefer: 'permit' },
      /because tUSD does not support signatures/,
    ],
    ['an approval that is preferred', 'tAUD', { prefer: 'approve' }, /because you prefer a transaction\.$/],
    [
      'another spender',
      'tAUD',
      { spenderAddress: permit2 },
      /^Approves Permit2 .*later conversions can be paid by signature/,
    ],
    ['a pool', 'tAUD', { spenderAddress: chain.pools['tAUD/tUSD'] }, /^Approves the pool 0x.*only the router accepts/],
    ['a stranger', 'tAUD', { spenderAddress: tEUR }, /which is not a contract of this network/],
  ])('a wallet sends an approval for %s, whose reason says why', async (_, symbol, input, reason) => {
    const { address: ownerAddress } = await createWallet(chain)
    const tokenAddress = chain.tokens[symbol as 'tUSD']
    const { steps } = await plan({ tokenAddress, ownerAddress, amount: '10', ...input })
    expect(kindsOf(steps)).toEqual(['approve'])
    expect(steps[0]?.reason).toMatch(reason)
  })

  it('a contract that checks no signatures sends an approval', async () => {
    const ownerAddress = await placeCode(chain, '0x60006000fd')
    const { steps } = await plan({ tokenAddress: tAUD, ownerAddress, amount: '10' })
    expect(kindsOf(steps)).toEqual(['approve'])
    expect(steps[0]?.reason).toMatch(/the code of your account does not verify signatures/)
  })

  it('a plan for a quote is for the most that it may cost, and its permit ends with it', async () => {
    const { address: ownerAddress } = await createWallet(chain)
    const quoted = await quote({ tokenIn: tAUD, tokenOut: tUSD, amountOut: '65', slippageBps: 100 })
    const expiry = Date.parse(quoted['expiresAt'] ?? '') / 1000
    const { steps, ...planned } = await plan({ quote: quoted['quote'], ownerAddress })
    expect(planned).toMatchObject({ requiredAmount: quoted['maxAmountIn'], spenderAddress: quoted['spender'] })
    expect(steps[0]?.permit).toEqual({ kind: 'permit', deadline: expiry, amount: quoted['maxAmountIn'], nonce: '0' })
  })

  it('Permit2 pays the quote of a token without permits once it is approved', async () => {
    const { address: ownerAddress, signTypedData } = await createWallet(chain)
    const quoted = await quote({
      tokenIn: tUSD,
      tokenOut: tEUR,
      amountIn: '10',
      recipient: router.toLowerCase().replace(/.$/, '9'),
    })
    const input = { quote: quoted['quote'], ownerAddress }
    const [unapproved] = (await plan(input)).steps
    expect(unapproved).toMatchObject({
      kind: 'approve',
      reason: expect.stringContaining('the allowance of Permit2 is too low'),
    })
    await approvePermit2(chain, ownerAddress)
    const { steps } = await plan(input)
    expect(kindsOf(steps)).toEqual(['permit2'])
    const { typedData, permit, fallback } = steps[0]!
    const deadline = Date.parse(quoted['expiresAt'] ?? '') / 1000
    expect(permit).toMatchObject({ kind: 'permit2', deadline, amount: '10.000000' })
    expect(typedData).toMatchObject({
      domain: { name: 'Permit2', chainId, verifyingContract: permit2 },
      primaryType: 'PermitWitnessTransferFrom',
      message: {
        permitted: { token: tUSD, amount: '10000000' },
        spender: router,
        nonce: permit?.nonce,
        witness: { origin: tUSD, target: tEUR, originAmount: '10000000', deadline: String(deadline) },
      },
    })
    const signature = await signTypedData(typedData)
    expect(await recoverTypedDataAddress({ ...typedData, signature } as never)).toBe(ownerAddress)
    expect(kindsOf(fallback)).toEqual(['approve'])
  })

  it('a request that differs from its quote is refused by the field', async () => {
    const { address: ownerAddress } = await createWallet(chain)
    const { address: userAddress } = await createWallet(chain)
    const quoted = await quote({ tokenIn: tAUD, tokenOut: tUSD, amountIn: '10', userAddress })
    const own = { quote: quoted['quote'], ownerAddress: userAddress }
    const refusals = [
      [{ ...own, tokenAddress: tUSD }, 'tokenAddress', tAUD],
      [{ ...own, spenderAddress: permit2 }, 'spenderAddress', router],
      [{ ...own, ownerAddress }, 'ownerAddress', userAddress],
      [{ ...own, chainId: getOtherChainId(chainId) }, 'chainId', String(chainId)],
    ] as const
    for (const [input, field, expected] of refusals) {
      const outcome = await call('approval.plan', input)
      expect(outcome, field).toMatchObject({ status: 409, failure: { code: 'svc/quote-mismatch', field, expected } })
    }
    const outcome = await call('approval.plan', { ...own, amount: '10' })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'amount' } })
  })

  it('a contract of the deployment is refused as the owner', async () => {
    for (const ownerAddress of [router, tAUD]) {
      const outcome = await call('approval.plan', { chainId, tokenAddress: tAUD, ownerAddress, amount: '1' })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-address', field: 'ownerAddress' } })
    }
  })

  it('approval.build and approval.revoke say what Permit2 is for, without a warning', async () => {
    const input = { chainId, tokenAddress: tUSD, spenderAddress: permit2 }
    for (const [operation, amount] of [
      ['approval.build', { amount: '1' }],
      ['approval.revoke', {}],
    ] as const) {
      const { data } = await call(operation, { ...input, ...amount })
      const { reason } = data?.['recommendation'] as { readonly reason: string }
      expect(reason).toMatch(/The spender is Permit2, /)
      expect(reason).not.toMatch(/Warning/)
    }
  })
})

/** Places code at a new address. */
async function placeCode({ rpcUrl }: LocalChain, bytecode: Hex): Promise<Hex> {
  const address: Hex = `0x${crypto.randomUUID().replaceAll('-', '')}0000a610`
  await createTestClient({ mode: 'hardhat', transport: http(rpcUrl) }).setCode({ address, bytecode })
  return address
}
