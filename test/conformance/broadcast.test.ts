import { numberToHex, parseTransaction, serializeTransaction, type Hex, type TransactionSerializable } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { suite } from './suite.ts'

suite('rejected broadcasts', ({ call, chain, chainId }) => {
  const account = privateKeyToAccount(generatePrivateKey())
  const type2 = {
    type: 'eip1559',
    to: account.address,
    chainId,
    gas: 21_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
    nonce: 0,
  } as const
  const pair = { tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tUSD'] }

  describe.each([
    ['transaction.broadcast', {}],
    ['transaction.broadcastConvert', { ...pair, amountIn: '1', expectedAmountOut: '0.65' }],
  ])('by %s', (operation, rest) => {
    const broadcast = (signedTransaction: unknown) => call(operation, { chainId, signedTransaction, ...rest })

    it.each(['', '0x', '0x0', 'ab', '0xzz', 12, null, {}])(
      'a broadcast rejects %j, which is not hex',
      async (signedTransaction) => {
        expect(await broadcast(signedTransaction)).toMatchObject({
          status: 400,
          failure: { code: 'svc/invalid-request', field: 'signedTransaction' },
        })
      },
    )

    it.each(['0x02', '0x02c0', '0x02ff', `0x02${'00'.repeat(50)}`, `0x${'ab'.repeat(100)}`])(
      'a broadcast rejects %s, which does not decode',
      async (signed) => {
        expect(await broadcast(signed)).toMatchObject({ status: 400, failure: { code: 'svc/invalid-transaction' } })
      },
    )

    const { to, gas, nonce } = type2
    const older = { to, gas, nonce, chainId, gasPrice: 1n }
    it.each<readonly [string, TransactionSerializable]>([
      ['a legacy transaction', { type: 'legacy', ...older }],
      ['a transaction of type 1', { type: 'eip2930', ...older }],
      ['a gas limit below what any transaction needs', { ...type2, gas: 20_999n }],
    ])('a broadcast rejects %s', async (_, transaction) => {
      const signed = await account.signTransaction(transaction)
      expect(await broadcast(signed)).toMatchObject({ status: 400, failure: { code: 'svc/invalid-transaction' } })
    })

    it('a broadcast rejects a sender without native currency, with the missing amount', async () => {
      const gas = { required: '0.000042000000000000', current: '0.000000000000000000' }
      const outcome = await broadcast(await account.signTransaction(type2))
      expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/insufficient-gas', ...gas } })
    })

    it('a broadcast rejects a malleable signature', async () => {
      const signed = parseTransaction(await account.signTransaction(type2))
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const { r, s, yParity, ...transaction } = signed as typeof signed & { r: Hex; s: Hex; yParity: number }
      const high = { r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity }
      const outcome = await broadcast(serializeTransaction(transaction as TransactionSerializable, high))
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-transaction' } })
    })
  })
})
