import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { setPrice } from '../harness/movePrice.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import { signConversion } from '../harness/signConversion.ts'
import { validInputs } from '../harness/validInputs.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { submitPrice } from './submitPrice.ts'
import { expectSum } from '../harness/expectSum.ts'
import { encodeSwap, executeBy, sendAs, type Swap } from '../harness/swaps.ts'
import { partOf } from '../harness/partOf.ts'
import { setUpReceipts, thousand, recipient } from './setUpReceipts.ts'

const receipts = setUpReceipts()
const { convert, readMined } = receipts

const initial = 65_120_000n

describe.each(partOf(['REST', 'tRPC'] as const))('the receipt of a conversion (%s)', (transport) => {
  it('a receipt explains a conversion by the router to the last unit, with its block and its gas', async () => {
    const transactionHash = await convert({ from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const { blockNumber, blockHash, gasUsed, effectiveGasPrice } = await receipts.owner.client.getTransactionReceipt({
      hash: transactionHash,
    })
    const { timestamp } = await receipts.owner.client.getBlock({ blockHash })
    const receipt = await readMined(transactionHash, transport)
    expectSum(receipt)
    expect(receipt).toEqual({
      transactionHash,
      status: 'success',
      mode: 'exact-in',
      payer: receipts.user,
      recipient: receipts.user,
      tokenIn: { address: receipts.chain.tokens.tAUD, symbol: 'tAUD', decimals: 6 },
      tokenOut: { address: receipts.chain.tokens.tUSD, symbol: 'tUSD', decimals: 6 },
      amountIn: '1000.000000',
      amountOut: '650.874400',
      oracleAt: 'execution',
      oracleAmountOut: '651.200000',
      parts: { priceMove: '0.000000', impact: '0.000000', fee: '0.325600', rounding: '0.000000' },
      routeFeeRate: '0.05%',
      executedRate: '0.65087440',
      oracleRate: '0.65120000',
      slippage: '0.0000%',
      blockNumber: Number(blockNumber),
      blockHash,
      blockTimestamp: new Date(Number(timestamp) * 1000).toISOString(),
      gasUsed: gasUsed.toString(),
      effectiveGasPrice: effectiveGasPrice.toString(),
      gasPaid: expect.stringMatching(/^0\.0{0,9}[1-9]\d*$/),
      confirmations: 1,
    })
    const [whole, fraction] = String(receipt['gasPaid']).split('.')
    expect(BigInt(`${whole}${fraction}`)).toBe(gasUsed * effectiveGasPrice)
  })

  it('a receipt over two pools values the first fee in the last token, and bounds what rounding took', async () => {
    const receipt = await readMined(await convert({ from: 'tAUD', to: 'tEUR', amountInRaw: thousand }), transport)
    const { roundingRaw } = expectSum(receipt)
    expect([0n, 1n, 2n]).toContain(roundingRaw)
    expect(receipt).toMatchObject({
      amountOut: '599.860730',
      oracleAmountOut: '600.461041',
      routeFeeRate: '0.099975%',
      slippage: '0.0000%',
      parts: { impact: '0.000000', fee: '0.600311' },
    })
  })
})

describe('the receipts of all ways to convert', () => {
  const ways: readonly (readonly [string, Swap, object])[] = [
    ['an exact output', { from: 'tAUD', to: 'tUSD', amountOutRaw: thousand }, { mode: 'exact-out' }],
    ['an exact output over two pools', { from: 'tEUR', to: 'tAUD', amountOutRaw: thousand }, { mode: 'exact-out' }],
    ['an exact input for a recipient', { from: 'tUSD', to: 'tEUR', amountInRaw: thousand, recipient }, { recipient }],
    [
      'an exact output over two pools for a recipient',
      { from: 'tAUD', to: 'tEUR', amountOutRaw: thousand, recipient },
      { mode: 'exact-out', recipient },
    ],
  ]

  it.each(ways)('a receipt explains %s', async (_, swap, expected) => {
    const receipt = await readMined(await convert(swap))
    const { impactRaw, priceMoveRaw, feeRaw, outRaw } = expectSum(receipt)
    expect([impactRaw, priceMoveRaw]).toEqual([0n, 0n])
    expect(feeRaw).toBeGreaterThan(0n)
    expect(receipt).toMatchObject({ mode: 'exact-in', payer: receipts.user, recipient: receipts.user, ...expected })
    expect(outRaw).toBe(swap.amountOutRaw ?? outRaw)
  })

  it.each([
    { amountInRaw: thousand, mode: 'exact-in' },
    { amountOutRaw: thousand, mode: 'exact-out' },
  ])('a receipt explains a swap in a pool without the router: $mode', async ({ mode, ...amount }) => {
    const pool = receipts.chain.pools['tEUR/tUSD']
    const receipt = await readMined(await convert({ from: 'tUSD', to: 'tEUR', pool, ...amount }))
    expectSum(receipt)
    expect(receipt).toMatchObject({ mode, payer: receipts.user, recipient: receipts.user, oracleAt: 'execution' })
  })

  it('a receipt has both conversions of a smart account, also if the second takes what the first paid', async () => {
    const first = encodeSwap(receipts.chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const second = encodeSwap(receipts.chain, { from: 'tUSD', to: 'tEUR', amountInRaw: 650_874_400n })
    const receipt = await readMined(
      await sendAs(receipts.chain, receipts.user, executeBy(receipts.account, [first, second])),
    )
    const { conversions, ...main } = receipt
    expect(main).toMatchObject({
      amountIn: '1000.000000',
      amountOut: '650.874400',
      payer: receipts.account,
      recipient: receipts.account,
    })
    expect(conversions).toMatchObject([
      { tokenIn: { symbol: 'tAUD' }, tokenOut: { symbol: 'tUSD' }, mode: 'exact-in', routeFeeRate: '0.05%' },
      { tokenIn: { symbol: 'tUSD' }, tokenOut: { symbol: 'tEUR' }, amountIn: '650.874400', payer: receipts.account },
    ])
    for (const row of conversions as readonly unknown[]) expectSum(row)
  })
})

describe.each(partOf(['REST', 'tRPC'] as const))('the prices of a mined conversion (%s)', (transport) => {
  it.each([
    { name: 'not one that was set after it in its block', before: [], after: [70_000_000n], oracle: '651.200000' },
    { name: 'one that was set before it in its block', before: [70_000_000n], after: [], oracle: '700.000000' },
    {
      name: 'the last one before it, of several in its block',
      before: [60_000_000n, 66_000_000n],
      after: [70_000_000n, initial],
      oracle: '660.000000',
    },
  ])('the price of the receipt and of the analysis of a conversion is $name', async ({ before, after, oracle }) => {
    const { chain, stack } = receipts
    const toPush = (answer: bigint) => submitPrice(chain, 'tAUD', answer)
    const { signWith } = await signConversion(chain, stack.callers.REST, { minAmountOut: '600' })
    let signedTransaction: Hex = '0x'
    const submit = async (fees: mineTogether.Fees) => {
      signedTransaction = await signWith(fees)
      return await receipts.owner.client.sendRawTransaction({ serializedTransaction: signedTransaction })
    }
    const mined = await mineTogether(chain, [...before.map(toPush), submit, ...after.map(toPush)])
    await setPrice(chain, 'tAUD', initial)
    await waitForBlock(stack.url, chain)
    const prices = { oracleAmountOut: oracle, slippage: '0.0000%' }
    const receipt = await readMined(mined[before.length]?.transactionHash ?? '0x', transport)
    expectSum(receipt)
    expect(receipt).toMatchObject({ ...prices, parts: { priceMove: '0.000000' } })
    const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
    const conversion = { signedTransaction, tokenIn, tokenOut, amountIn, expectedAmountOut: '650.8744' }
    const sent = await stack.callers[transport]('transaction.broadcastConvert', conversion)
    expect(sent).toMatchObject({ status: 200, data: { status: 'success', convert: prices } })
  })
})
