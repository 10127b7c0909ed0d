import { decodeFunctionData, erc20Abi, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { createTrader } from '../harness/createTrader.ts'
import { createWallet } from '../harness/createWallet.ts'
import { suite } from './suite.ts'

type Built = {
  readonly to: Hex
  readonly data: Hex
  readonly gasLimit: string
  readonly calls: readonly { readonly to: Hex; readonly data: Hex; readonly value: string }[]
  readonly callGasLimits: readonly { readonly kind: string; readonly gasLimit: string }[]
  readonly issues: readonly { readonly code: string }[]
}

suite('the batch of a conversion', ({ call, chain, chainId }) => {
  const { tAUD, tUSD, tEUR } = chain.tokens
  const { router } = chain.deployment
  const toAllowance = (data: Hex) => decodeFunctionData({ abi: erc20Abi, data }).args

  async function build(input: Readonly<Record<string, unknown>>): Promise<Built> {
    const { status, data, failure } = await call('transaction.buildConvert', input)
    expect({ status, failure }).toEqual({ status: 200, failure: undefined })
    const built = data as unknown as Built
    expect(built.calls).toHaveLength(built.callGasLimits.length)
    expect(built.calls.at(-1)).toEqual({ to: built.to, data: built.data, value: '0x0' })
    expect(built.callGasLimits.at(-1)).toEqual({ kind: 'convert', gasLimit: built.gasLimit })
    return built
  }

  it('a wallet without an allowance approves exactly the amount, and converts', async () => {
    const { address: userAddress } = await createTrader(chain, { symbol: 'tAUD', amount: '100', approved: '0' })
    const conversion = { chainId, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100', minAmountOut: '65' }
    const { calls, callGasLimits, issues } = await build({ ...conversion, userAddress })
    expect(callGasLimits.map(({ kind }) => kind)).toEqual(['approve', 'convert'])
    expect(calls[0]).toMatchObject({ to: tAUD, value: '0x0' })
    expect(toAllowance(calls[0]!.data)).toEqual([router, 100_000_000n])
    // `issues` describes the conversion on its own.
    expect(issues).toMatchObject([{ code: 'svc/insufficient-allowance' }])
  })

  it('a wallet whose token demands a reset approves zero first, and for a quote the most that it may cost', async () => {
    const { address: userAddress } = await createTrader(chain, { symbol: 'tEUR', amount: '100', approved: '1' })
    const pair = { chainId, tokenIn: tEUR, tokenOut: tUSD }
    const { data } = await call('convert.quote', { ...pair, amountOut: '50', slippageBps: 100 })
    const { calls, callGasLimits } = await build({ quote: data?.['quote'], userAddress })
    expect(callGasLimits.map(({ kind }) => kind)).toEqual(['reset', 'approve', 'convert'])
    const maxAmountInRaw = BigInt(String(data?.['maxAmountIn']).replace('.', ''))
    expect(calls.slice(0, 2).map(({ data: calldata }) => toAllowance(calldata))).toEqual([
      [router, 0n],
      [router, maxAmountInRaw],
    ])
  })

  it('a wallet whose allowance is enough converts in one call', async () => {
    const { address: userAddress } = await createTrader(chain, { symbol: 'tAUD', amount: '100' })
    const conversion = { chainId, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100', minAmountOut: '65' }
    expect(await build({ ...conversion, userAddress })).toMatchObject({ calls: [{ to: router }], issues: [] })
  })

  it('a build with a permit has no batch', async () => {
    const wallet = await createWallet(chain)
    const plan = { chainId, tokenAddress: tAUD, ownerAddress: wallet.address, amount: '100' }
    const { data: planned } = await call('approval.plan', plan)
    const [step] = planned?.['steps'] as readonly { readonly permit: object; readonly typedData: unknown }[]
    const permit = { ...step?.permit, signature: await wallet.signTypedData(step?.typedData) }
    const conversion = { chainId, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100', minAmountOut: '65' }
    const { data } = await call('transaction.buildConvert', { ...conversion, userAddress: wallet.address, permit })
    expect(data).toHaveProperty('transaction')
    for (const field of ['calls', 'callGasLimits']) expect(data).not.toHaveProperty(field)
  })
})
