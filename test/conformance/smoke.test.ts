import { expect, inject, it } from 'vitest'
import { createTrader } from '../harness/createTrader.ts'
import type { Unsigned } from '../harness/createWallet.ts'
import { expectSum } from '../harness/expectSum.ts'
import { suite } from './suite.ts'

suite(
  'the smoke pass',
  ({ call, chain, chainId }) => {
    const pair = { chainId, tokenIn: chain.tokens.tAUD, tokenOut: chain.tokens.tUSD }

    it('a client previews, quotes, builds and broadcasts a conversion, whose receipt adds up', async () => {
      const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
      const preview = await call('convert.preview', { ...pair, amountIn: '1000' })
      expect(preview).toMatchObject({ status: 200, data: { amountOut: '650.874400' } })
      const quoted = await call('convert.quote', { ...pair, amountIn: '1000', userAddress: trader.address })
      expect(quoted).toMatchObject({ status: 200, data: { amountOut: '650.874400', issues: [] } })
      const quote = quoted.data?.['quote']
      const built = await call('transaction.buildConvert', { quote, userAddress: trader.address })
      expect(built).toMatchObject({ status: 200, data: { chainId, issues: [] } })
      const signedTransaction = await trader.sign(call, built.data as unknown as Unsigned)
      const sent = await call('transaction.broadcastConvert', { quote, signedTransaction })
      const convert = { actualAmountOut: '650.874400', slippage: '0.0000%' }
      expect(sent).toMatchObject({ status: 200, data: { status: 'success', convert } })
      const receipt = await call('convert.receipt', { quote, transactionHash: sent.data?.['transactionHash'] })
      expect(receipt).toMatchObject({ status: 200, data: { status: 'success', payer: trader.address } })
      expectSum(receipt.data)
    })

    it('error: svc/invalid-request for an amount that is not one, by its field', async () => {
      const failure = { code: 'svc/invalid-request', field: 'amountIn' }
      expect(await call('convert.preview', { ...pair, amountIn: '-1' })).toMatchObject({ status: 400, failure })
    })
  },
  inject('smokeTargets'),
)
