import { tokenAbi } from '@agio/chain/abi'
import { erc20Abi, parseUnits, type Hex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { holdRequests } from '../harness/holdRequests.ts'
import { foreignDecimals, foreignPrices } from '../harness/deployForeignPools.ts'
import { isHeadPoll } from '../harness/startProxy.ts'
import { writeContract } from '../harness/writeContract.ts'
import { setForeignPrice } from './changeMarket.ts'
import { toRequest, type Conversion } from './conversions.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const transports = ['REST', 'tRPC'] as const
type Transport = (typeof transports)[number]
const tenEur = { from: 'fEUR', to: 'fUSD', amountIn: '10' } as const

const stack = setUp(startForeignStack)

describe.each(partOf(transports))('mined conversions over foreign pools (%s)', (transport) => {
  it.each([
    { from: 'fEUR', to: 'fUSD', amountIn: '1000', missingRaw: 1n, fee: '0.05%', slippage: '0.0000%' },
    { from: 'fUSD', to: 'fEUR', amountIn: '10', missingRaw: 1n, fee: '0.05%' },
    { from: 'fAUD', to: 'fUSD', amountIn: '77.7', missingRaw: 2n, fee: '0.15%', slippage: '0.1001%' },
    { from: 'fUSD', to: 'fAUD', amountIn: '2500.5', missingRaw: 2n, fee: '0.15%', slippage: '0.1001%' },
    { from: 'fSGD', to: 'fUSD', amountIn: '4000', missingRaw: 0n, fee: '0.05%', slippage: '0.0000%' },
  ] as const)(
    'a mined conversion through one foreign pool pays its quote within two units: $amountIn $from to $to',
    async ({ missingRaw, fee, slippage, ...conversion }) => {
      const { convert, quoted, receivedRaw } = await convertBy(transport, conversion)
      const decimals = foreignDecimals[conversion.to]
      expect(parseUnits(quoted.amountOut ?? '', decimals) - receivedRaw).toBe(missingRaw)
      expect(convert).toMatchObject({
        amountIn: conversion.amountIn,
        expectedAmountOut: quoted.amountOut,
        actualAmountOut: toDecimal(receivedRaw, decimals),
        fee: { rate: fee },
        ...(slippage && { slippage }),
      })
      expect(Number(convert?.['oracleAmountOut'])).toBeCloseTo(atOracle(conversion), decimals === 2 ? 1 : 5)
    },
  )

  it.each([
    { from: 'fEUR', to: 'fAUD', amountIn: '1234.56' },
    { from: 'fAUD', to: 'fEUR', amountIn: '999.5' },
    { from: 'fSGD', to: 'fAUD', amountIn: '50' },
  ] as const)(
    'a mined conversion through two foreign pools pays its quote within two units: $amountIn $from to $to',
    async (conversion) => {
      const { convert, quoted, receivedRaw } = await convertBy(transport, conversion)
      const decimals = foreignDecimals[conversion.to]
      const missingRaw = parseUnits(quoted.amountOut ?? '', decimals) - receivedRaw
      // Up to two units of the intermediate dollar, and two of the last token.
      const mostRaw = 2n + (decimals === 18 ? parseUnits('0.000004', 18) : 1n)
      expect(missingRaw).toBeGreaterThanOrEqual(0n)
      expect(missingRaw).toBeLessThanOrEqual(mostRaw)
      expect(convert).toMatchObject({ actualAmountOut: toDecimal(receivedRaw, decimals) })
    },
  )
})

describe('the minimum output over foreign pools', () => {
  it.each(transports)(
    'the minimum output is rejected if only the quote reaches it, and accepted two units lower (%s)',
    async (transport) => {
      const call = stack.callers[transport]
      const { amountOut = '' } = (await call('convert.preview', toRequest(stack, tenEur))).data as Record<
        string,
        string
      >
      const quotedRaw = parseUnits(amountOut, 6)
      const leastOut = toDecimal(quotedRaw - 2n, 6)
      for (const missingRaw of [0n, 1n]) {
        const minAmountOut = toDecimal(quotedRaw - missingRaw, 6)
        const failure = { code: 'svc/below-min-target', amountOut: leastOut, minAmountOut, action: 'requote' }
        expect(await build(transport, { ...tenEur, minAmountOut })).toMatchObject({ status: 422, failure })
      }
      const { status, data } = await build(transport, { ...tenEur, minAmountOut: leastOut })
      expect(status).toBe(200)
      expect(String(data?.['data'])).toContain((quotedRaw - 2n).toString(16).padStart(64, '0'))
    },
  )

  it.each(transports)(
    'the minimum output is rejected by the revert of the gas estimate if the newest block does not reach it (%s)',
    async (transport) => {
      onTestFinished(async () => {
        stack.proxy.reset()
        await setForeignPrice(stack, 'fEUR', foreignPrices.fEUR)
        await stack.seen()
      })
      await stack.callers[transport]('convert.preview', toRequest(stack, tenEur))
      const polls = holdRequests(stack.proxy)(isHeadPoll)
      await setForeignPrice(stack, 'fEUR', 107_000_000n)
      const { status, failure } = await build(transport, { ...tenEur, minAmountOut: '10.8' })
      polls.pass()
      expect({ status, failure }).toMatchObject({
        status: 422,
        failure: { code: 'svc/below-min-target', minAmountOut: '10.800000' },
      })
      expect(failure).not.toHaveProperty('amountOut')
    },
  )
})

describe.each(partOf(transports))('mined transactions over foreign pools that fail (%s)', (transport) => {
  it('a mined conversion that fails after the price fell is explained by Curve/below-min-target-amount', async () => {
    onTestFinished(async () => {
      await setForeignPrice(stack, 'fEUR', foreignPrices.fEUR)
      await stack.seen()
    })
    const call = stack.callers[transport]
    const { wallet } = await createTrader(transport, tenEur)
    const built = await build(transport, { ...tenEur, userAddress: wallet.address, minAmountOut: '10.84' })
    expect(built).toMatchObject({ status: 200 })
    const signedTransaction = await wallet.sign(call, built.data as unknown as Unsigned)
    await setForeignPrice(stack, 'fEUR', 107_000_000n)
    const sent = await call('transaction.broadcast', { chainId: 84532, signedTransaction })
    const revert = { name: 'Error', args: ['Curve/below-min-target-amount'] }
    expect(sent).toMatchObject({
      status: 200,
      data: { status: 'failed', failure: { code: 'svc/below-min-target', revert } },
    })
    const { message } = sent.data?.['failure'] as { message: string }
    expect(message).toMatch(/10\.840000/)
    const { transactionHash } = sent.data as { transactionHash: Hex }
    const found = await call('transaction.status', { chainId: 84532, transactionHash })
    expect(found).toMatchObject({ data: { status: 'failed', failure: { code: 'svc/below-min-target' } } })
  })
})

async function build(
  transport: Transport,
  {
    minAmountOut,
    userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ...conversion
  }: Conversion & { readonly minAmountOut: string; readonly userAddress?: Hex },
) {
  const input = { ...toRequest(stack, conversion), userAddress, minAmountOut }
  return await stack.callers[transport]('transaction.buildConvert', input)
}

/** A new wallet that holds the input of a conversion, and has sent the approval that the service builds. */
async function createTrader(transport: Transport, { from, amountIn }: Conversion) {
  const { market, owner, callers } = stack
  const [wallet, call, token] = [await createWallet(market.chain), callers[transport], market.tokens[from]]
  const args = [wallet.address, parseUnits(amountIn, foreignDecimals[from])] as const
  await writeContract(owner.client, { address: token, abi: tokenAbi, functionName: 'mint', args })
  const approval = { chainId: 84532, tokenAddress: token, spenderAddress: market.deployment.router, amount: amountIn }
  const approve = (await call('approval.build', approval)).data?.['transaction'] as Unsigned
  await call('transaction.broadcast', { chainId: 84532, signedTransaction: await wallet.sign(call, approve) })
  return { wallet }
}

/** Converts from a new wallet with the recommended minimum, and returns the amount received. */
async function convertBy(transport: Transport, conversion: Conversion) {
  const [call, request] = [stack.callers[transport], toRequest(stack, conversion)]
  const { wallet } = await createTrader(transport, conversion)
  const quoted = (await call('convert.preview', request)).data as Record<string, string>
  const { amountOut: expectedAmountOut, recommendedMinAmountOut: minAmountOut = '' } = quoted
  const built = await build(transport, { ...conversion, minAmountOut, userAddress: wallet.address })
  expect(built).toMatchObject({ status: 200, data: { issues: [] } })
  const signedTransaction = await wallet.sign(call, built.data as unknown as Unsigned)
  const sent = await call('transaction.broadcastConvert', { ...request, signedTransaction, expectedAmountOut })
  expect(sent).toMatchObject({ status: 200, data: { status: 'success' } })
  const balance = {
    address: request.tokenOut,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet.address],
  } as const
  const convert = sent.data?.['convert'] as Record<string, unknown> | undefined
  return {
    convert,
    quoted,
    receivedRaw: await stack.owner.client.readContract(balance),
  }
}

/** In whole tokens, at the initial prices of the market. */
function atOracle({ from, to, amountIn }: Conversion): number {
  return (Number(amountIn) * Number(foreignPrices[from])) / Number(foreignPrices[to])
}
