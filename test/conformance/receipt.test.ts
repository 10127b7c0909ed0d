import { routerAbi, tokenAbi } from '@agio/chain/abi'
import { encodeFunctionData, maxUint256, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { expectSum } from '../harness/expectSum.ts'
import { createWallet } from '../harness/createWallet.ts'
import { suite } from './suite.ts'

suite('the receipt of a conversion', ({ call, chain, chainId }) => {
  const amountRaw = 100_000_000n

  it('a receipt explains a conversion that was sent without the service, over one pool and over two', async () => {
    const wallet = await createWallet(chain)
    const claim = await call('faucet.buildClaimAll', { chainId, userAddress: wallet.address })
    await send(wallet, claim.data as unknown as Call)
    const approve = { abi: tokenAbi, functionName: 'approve', args: [chain.deployment.router, maxUint256] } as const
    await send(wallet, { to: chain.tokens.tAUD, data: encodeFunctionData(approve) })
    for (const tokenOut of [chain.tokens.tUSD, chain.tokens.tEUR]) {
      const args = [chain.deployment.referenceToken, chain.tokens.tAUD, tokenOut, amountRaw, 0n, maxUint256] as const
      const data = encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args })
      const transactionHash = await send(wallet, { to: chain.deployment.router, data })
      const receipt = await call('convert.receipt', { chainId, transactionHash })
      expect(receipt).toMatchObject({
        status: 200,
        data: {
          transactionHash,
          status: 'success',
          mode: 'exact-in',
          payer: wallet.address,
          recipient: wallet.address,
          amountIn: '100.000000',
          oracleAt: 'execution',
          tokenIn: { symbol: 'tAUD' },
          tokenOut: { address: tokenOut },
        },
      })
      expectSum(receipt.data)
    }
  })

  type Call = { readonly to: Hex; readonly data: Hex }

  /** Sends a transaction, and returns its hash once it is mined. */
  async function send(wallet: Awaited<ReturnType<typeof createWallet>>, { to, data }: Call): Promise<Hex> {
    const signedTransaction = await wallet.sign(call, {
      to,
      data,
      value: '0',
      chainId,
      gasLimit: '1000000',
    })
    const sent = await call('transaction.broadcast', { chainId, signedTransaction })
    expect(sent).toMatchObject({ status: 200, data: { status: 'success' } })
    return sent.data?.['transactionHash'] as Hex
  }
})
