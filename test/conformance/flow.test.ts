import { expect, it } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { suite, type Subject } from './suite.ts'

suite('the conversion flow', ({ call, chain, chainId }) => {
  it.each([
    ['the newer names', 'convert.preview', 'transaction.buildConvert', 'transaction.broadcastConvert'],
    ['the older names', 'swap.preview', 'swap.build', 'swap.execute'],
  ])(
    'by %s a client claims, previews, approves, builds, signs, broadcasts with analysis, and reads the status',
    async (...row) => {
      const [, preview, build, execute] = row
      const wallet = await createWallet(chain)
      await claim({ call, chainId }, wallet)
      const pair = { chainId, tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tUSD'] }
      const previewed = await call(preview, { ...pair, poolAddress: chain.pools['tAUD/tUSD'], amountIn: '100' })
      const { amountOut, recommendedMinAmountOut } = previewed.data as Record<string, string>

      const request = { ...pair, userAddress: wallet.address, amountIn: '100', minAmountOut: recommendedMinAmountOut }
      const early = await call(build, request)
      expect(early.data).toMatchObject({ issues: [{ code: 'svc/insufficient-allowance' }] })
      await approve({ call, chainId }, wallet, {
        tokenAddress: pair.tokenIn,
        spenderAddress: String(early.data?.['to']),
      })

      const built = await call(build, request)
      expect(built).toMatchObject({ status: 200, data: { issues: [] } })
      const sent = await call(execute, {
        ...pair,
        signedTransaction: await wallet.sign(call, built.data as unknown as Unsigned),
        expectedAmountOut: amountOut,
        amountIn: '100',
      })
      expect(sent.data).toMatchObject({
        status: 'success',
        convert: {
          amountIn: '100',
          expectedAmountOut: amountOut,
          actualAmountOut: '65.087440',
          oracleAmountOut: '65.120000',
          fee: { rate: '0.05%', amount: '0.032560' },
          routeFeeRate: '0.05%',
          slippage: '0.0000%',
          executedRate: '0.65087440',
          oracleRate: '0.65120000',
        },
      })
      const { transactionHash, blockNumber, gasUsed } = sent.data as Record<string, string>
      expect(BigInt(gasUsed ?? 0)).toBeLessThan(BigInt(String(built.data?.['gasLimit'])))
      const status = await call('transaction.status', { chainId, transactionHash })
      expect(status.data).toMatchObject({ status: 'success', blockNumber, gasUsed })
      expect(Number(status.data?.['confirmations'])).toBeGreaterThanOrEqual(1)
    },
  )

  it('a client revokes an approval', async () => {
    const wallet = await createWallet(chain)
    const approval = { tokenAddress: chain.tokens['tAUD'], spenderAddress: chain.deployment.router }
    await approve({ call, chainId }, wallet, approval)
    const check = { chainId, ...approval, ownerAddress: wallet.address, requiredAmount: '1' }
    expect((await call('approval.check', check)).data).toMatchObject({
      needsApproval: false,
      currentAllowance: '1000.000000',
    })
    const revoked = await call('approval.revoke', { chainId, ...approval })
    const signedTransaction = await wallet.sign(call, revoked.data?.['transaction'] as Unsigned)
    const sent = await call('transaction.broadcast', { chainId, signedTransaction })
    const { data } = await call('approval.check', check)
    expect(data).toMatchObject({ needsApproval: true, currentAllowance: '0.000000' })
    expect(data?.['blockNumber']).toBeGreaterThanOrEqual(Number(sent.data?.['blockNumber']))
  })
})

type Wallet = Awaited<ReturnType<typeof createWallet>>

async function claim({ call, chainId }: Pick<Subject, 'call' | 'chainId'>, wallet: Wallet): Promise<void> {
  const claimed = await call('faucet.buildClaimAll', { chainId, userAddress: wallet.address })
  const signedTransaction = await wallet.sign(call, claimed.data as unknown as Unsigned)
  const sent = await call('transaction.broadcast', { chainId, signedTransaction })
  expect(sent).toMatchObject({ data: { status: 'success' } })
  const info = await call('faucet.info', { chainId, userAddress: wallet.address })
  expect(info.data).toMatchObject({ user: { canClaim: false, address: wallet.address } })
  const again = await call('faucet.buildClaimAll', { chainId, userAddress: wallet.address })
  const nextClaimAt = (info.data?.['user'] as Record<string, string>)['nextClaimAt']
  expect(again).toMatchObject({ status: 429, failure: { code: 'svc/faucet-cooldown', nextClaimAt } })
}

async function approve(
  { call, chainId }: Pick<Subject, 'call' | 'chainId'>,
  wallet: Wallet,
  approval: { readonly tokenAddress: string | undefined; readonly spenderAddress: string },
): Promise<void> {
  const built = await call('approval.build', { chainId, ...approval, amount: '1000' })
  const signedTransaction = await wallet.sign(call, built.data?.['transaction'] as Unsigned)
  expect(await call('transaction.broadcast', { chainId, signedTransaction })).toMatchObject({
    data: { status: 'success' },
  })
}
