import type { Deployment } from '@agio/chain'
import { routerAbi } from '@agio/chain/abi'
import type { Address, Network } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createPayer } from '../harness/createPayer.ts'
import type { Unsigned } from '../harness/createWallet.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { deploySkewedPools } from '../harness/deploySkewedPools.ts'
import { startAgio } from '../harness/startAgio.ts'
import { readBalance } from '../harness/readBalance.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

type Conversion = { readonly from: string; readonly to: string; readonly amountIn: string }

// The initial prices of the local chains, in dollars.
const prices: Readonly<Record<string, number>> = { tUSD: 1, tAUD: 0.6512, tEUR: 1.0845 }

const stack = setUp(() =>
  startAgio({
    prepare: async (localnet) =>
      void (skewed = await deploySkewedPools(localnet, { 'tAUD/tUSD': 137n, 'tEUR/tUSD': -61n })),
  }),
)
let skewed: Deployment

describe('the slippage of a mined conversion', () => {
  it.each([
    { from: 'tAUD', to: 'tUSD', amountIn: '1000', expected: /^-1\.3700%$/ },
    { from: 'tUSD', to: 'tAUD', amountIn: '0.987654', expected: /^-/ },
    { from: 'tEUR', to: 'tUSD', amountIn: '1000', expected: /^0\.6100%$/ },
    { from: 'tUSD', to: 'tEUR', amountIn: '12345.678901', expected: /^\d/ },
    { from: 'tAUD', to: 'tEUR', amountIn: '77.7', expected: /^-/ },
    { from: 'tEUR', to: 'tAUD', amountIn: '4000', expected: /^-/ },
  ])('slippage follows its formula on skewed pools: $amountIn $from to $to', async ({ expected, ...conversion }) => {
    const { convert, receivedRaw } = await convertOn(stack.localnet.chains[84532], conversion)
    expect(convert).toMatchObject({ actualAmountOut: toDecimal(receivedRaw, 6) })
    const { oracleAmountOut = '', slippage = '' } = convert
    expect(Math.abs(Number(oracleAmountOut) - atOracle(conversion))).toBeLessThan(3e-6)
    expect(slippage).toBe(slippageOf(Number(oracleAmountOut), Number(convert['actualAmountOut'])))
    expect(slippage).toMatch(expected)
  })

  it.each([
    { from: 'tAUD', to: 'tUSD', amountIn: '1000', expected: '0.0000%', routeFeeRate: '0.05%' },
    { from: 'tUSD', to: 'tEUR', amountIn: '2500.5', expected: '0.0000%', routeFeeRate: '0.05%' },
    { from: 'tEUR', to: 'tAUD', amountIn: '1000', expected: '0.0500%', routeFeeRate: '0.099975%' },
  ])(
    'slippage is $expected on pools that follow their oracles: $amountIn $from to $to',
    async ({ expected, routeFeeRate, ...conversion }) => {
      const { convert, quoted, receivedRaw } = await convertOn(stack.localnet.chains[421614], conversion)
      expect(convert).toMatchObject({ actualAmountOut: toDecimal(receivedRaw, 6), slippage: expected, routeFeeRate })
      expect(quoted).toMatchObject({ fee: '0.05%', routeFeeRate })
    },
  )
})

describe.each(partOf(['REST', 'tRPC'] as const))('a preview over skewed pools (%s)', (transport) => {
  it.each([
    { from: 'tAUD', to: 'tUSD', amountIn: '7' },
    { from: 'tAUD', to: 'tUSD', amountIn: '1234.567891' },
    { from: 'tUSD', to: 'tAUD', amountIn: '99999.999999' },
    { from: 'tEUR', to: 'tUSD', amountIn: '31415.926535' },
    { from: 'tUSD', to: 'tEUR', amountIn: '1' },
    { from: 'tEUR', to: 'tAUD', amountIn: '271.828182' },
  ])('a preview over skewed pools equals their views and not our maths: $amountIn $from to $to', async (conversion) => {
    const call = stack.callers[transport]
    const view = toDecimal(await viewOnChain(conversion), 6)
    expect(await preview(call, 84532, conversion)).toMatchObject({ status: 200, data: { amountOut: view } })
    const straight = await preview(call, 421614, conversion)
    expect(straight.data?.['amountOut']).not.toBe(view)
  })

  it('a preview over skewed pools fails with the code of the revert of the view, with amounts in whole tokens', async () => {
    const call = stack.callers[transport]
    const dust = { from: 'tUSD', to: 'tEUR', amountIn: '0.000001' }
    expect(await preview(call, 84532, dust)).toMatchObject({ failure: { code: 'svc/amount-too-small' } })
    const [poolAddress] = skewed.pools
    const above = await preview(call, 84532, { from: 'tAUD', to: 'tUSD', amountIn: '499999' }, { poolAddress })
    const maxAmountIn: unknown = expect.stringMatching(/\.\d{6}$/)
    const failure = { code: 'svc/above-max-origin', amountIn: '499999.000000', maxAmountIn }
    expect(above).toMatchObject({ status: 422, failure })
  })

  it('a preview over skewed pools fails at the second pool with the amount in the first token, without the limit of that pool', async () => {
    const call = stack.callers[transport]
    const conversion = { from: 'tAUD', to: 'tUSD', amountIn: '440000' }
    expect(await preview(call, 84532, conversion)).toMatchObject({ status: 200 })
    const { failure } = await preview(call, 84532, { ...conversion, to: 'tEUR' })
    expect(failure).toMatchObject({ code: 'svc/above-max-origin', amountIn: '440000.000000' })
    expect(failure).not.toHaveProperty('maxAmountIn')
  })

  it('a skewed pool has no largest input, which only pools with our maths have', async () => {
    const { data } = await stack.callers[transport]('pools.get', { poolAddress: skewed.pools[0] })
    expect(data).toMatchObject({ fee: '0.05%' })
    expect(data).not.toHaveProperty('maxAmountIn')
  })
})

/** `(oracle x (1 - 0.0005) - actual) / (oracle x (1 - 0.0005)) x 100`, as the interface defines it. */
function slippageOf(oracleAmountOut: number, actualAmountOut: number): string {
  const oracleAfterFee = oracleAmountOut * (1 - 0.0005)
  return `${(((oracleAfterFee - actualAmountOut) / oracleAfterFee) * 100).toFixed(4)}%`
}

function atOracle({ from, to, amountIn }: Conversion): number {
  return (Number(amountIn) * (prices[from] ?? NaN)) / (prices[to] ?? NaN)
}

function pairOf({ chainId, tokens }: LocalChain, { from, to }: Conversion) {
  return { chainId, tokenIn: tokens[from] as Address, tokenOut: tokens[to] as Address }
}

async function preview(call: Caller, chainId: Network.ChainId, conversion: Conversion, rest: object = {}) {
  const { amountIn } = conversion
  return await call('convert.preview', { ...pairOf(stack.localnet.chains[chainId], conversion), amountIn, ...rest })
}

/** The output by the views of the pools. */
async function viewOnChain(conversion: Conversion): Promise<bigint> {
  const chain = stack.localnet.chains[84532]
  const { tokenIn, tokenOut } = pairOf(chain, conversion)
  const args = [skewed.referenceToken, tokenIn, tokenOut, parseUnits(conversion.amountIn, 6)] as const
  const view = { address: skewed.router, abi: routerAbi, functionName: 'viewOriginSwap', args } as const
  return await connectOwner(chain).client.readContract(view)
}

/** Converts from a new wallet over REST, and returns the amount received. */
async function convertOn(chain: LocalChain, conversion: Conversion) {
  const { amountIn } = conversion
  const [pair, call] = [pairOf(chain, conversion), stack.callers.REST]
  const spender = (chain.chainId === 84532 ? skewed : chain.deployment).router
  const wallet = await createPayer(chain, { token: pair.tokenIn, amountRaw: parseUnits(amountIn, 6), spender })
  const quoted = await preview(call, chain.chainId, conversion)
  const { amountOut: expectedAmountOut, recommendedMinAmountOut: minAmountOut } = quoted.data as Record<string, string>
  const request = { ...pair, userAddress: wallet.address, amountIn, minAmountOut }
  const { data: built } = await call('transaction.buildConvert', request)
  const signedTransaction = await wallet.sign(call, built as unknown as Unsigned)
  const sent = await call('transaction.broadcastConvert', { ...pair, signedTransaction, expectedAmountOut, amountIn })
  expect(sent).toMatchObject({ status: 200, data: { status: 'success', convert: { expectedAmountOut, amountIn } } })
  const convert = sent.data?.['convert'] as Record<string, string>
  return { convert, quoted: quoted.data, receivedRaw: await readBalance(chain, pair.tokenOut, wallet.address) }
}
