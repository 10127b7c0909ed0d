import { poolAbi, routerAbi, tokenAbi } from '@agio/chain/abi'
import { encodeFunctionData, maxUint256, parseAbi, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { setForeignPrice } from '../foreign/changeMarket.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { foreignDecimals, foreignPrices, type ForeignToken } from '../harness/deployForeignPools.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import { writeContract } from '../harness/writeContract.ts'
import { expectSum } from '../harness/expectSum.ts'
import { sendAs, submitAs, type Call } from '../harness/swaps.ts'
import { setUp } from '../harness/setUp.ts'

const abi = parseAbi(['function updateAnswer(int256 answer)'])
const lots = 10n ** 24n

const stack = setUp(startForeignStack)
let user: Address

beforeAll(async () => {
  user = privateKeyToAddress(generatePrivateKey())
  const { client } = stack.owner
  await client.setBalance({ address: user, value: parseEther('100') })
  const { tokens, pools, deployment } = stack.market
  for (const address of Object.values(tokens)) {
    await writeContract(client, { address, abi: tokenAbi, functionName: 'mint', args: [user, lots] })
    for (const spender of [deployment.router, ...Object.values(pools)]) {
      const approve = { abi: tokenAbi, functionName: 'approve', args: [spender, maxUint256] } as const
      await writeContract(client, { address, account: user, ...approve })
    }
  }
})

const toRaw = (symbol: ForeignToken, whole: number) => BigInt(whole) * 10n ** BigInt(foreignDecimals[symbol])

/** A conversion of whole tokens by the router. */
function route(from: ForeignToken, to: ForeignToken, whole: number): Call {
  const { deployment, tokens } = stack.market
  const args = [deployment.referenceToken, tokens[from], tokens[to], toRaw(from, whole), 0n, maxUint256] as const
  return { target: deployment.router, data: encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args }) }
}

async function readReceipt(transactionHash: Hex): Promise<Record<string, unknown>> {
  const { status, data } = await stack.callers.REST('convert.receipt', { chainId: 84532, transactionHash })
  expect({ status, data }).toMatchObject({ status: 200, data: { status: 'success', payer: user, recipient: user } })
  return data ?? {}
}

const convert = async (call: Call) => await readReceipt(await sendAs(stack.market.chain, user, call))

describe('the receipts of conversions over foreign pools', () => {
  it.each([
    { from: 'fEUR', to: 'fUSD', whole: 1000, fee: '0.05%' },
    { from: 'fUSD', to: 'fAUD', whole: 2500, fee: '0.15%' },
    { from: 'fSGD', to: 'fUSD', whole: 4000, fee: '0.05%' },
    { from: 'fEUR', to: 'fAUD', whole: 1234, fee: '0.199925%' },
    { from: 'fAUD', to: 'fEUR', whole: 999, fee: '0.199925%' },
  ] as const)(
    'a receipt of $whole $from in $to has the fee of the pools, no rounding, and the rest as impact',
    async ({ from, to, whole, fee }) => {
      const receipt = await convert(route(from, to, whole))
      const { oracleRaw, priceMoveRaw, feeRaw, roundingRaw } = expectSum(receipt)
      expect(receipt).toMatchObject({ mode: 'exact-in', oracleAt: 'execution', routeFeeRate: fee })
      expect([priceMoveRaw, roundingRaw]).toEqual([0n, 0n])
      expect(feeRaw).toBeGreaterThan(0n)
      // Over two pools the price of the dollar cancels out.
      const value = toRaw(from, whole) * foreignPrices[from] * toRaw(to, 1)
      expect(oracleRaw).toBe(value / (foreignPrices[to] * toRaw(from, 1)))
    },
  )

  it('a receipt of an exact output in a foreign pool has its mode by the calldata', async () => {
    const { tokens, pools } = stack.market
    const args = [tokens.fUSD, tokens.fEUR, maxUint256, toRaw('fEUR', 10), maxUint256] as const
    const data = encodeFunctionData({ abi: poolAbi, functionName: 'targetSwap', args })
    const receipt = await convert({ target: pools['fEUR/fUSD'], data })
    expectSum(receipt)
    expect(receipt).toMatchObject({ mode: 'exact-out', amountOut: '10.00', parts: { rounding: '0.00' } })
  })

  it('a receipt of a foreign pool that pays nothing for dust adds up as well', async () => {
    const { deployment, tokens } = stack.market
    const args = [deployment.referenceToken, tokens.fUSD, tokens.fEUR, 1n, 0n, maxUint256] as const
    const data = encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args })
    const receipt = await convert({ target: deployment.router, data })
    expectSum(receipt)
    expect(receipt).toMatchObject({ amountIn: '0.000001', amountOut: '0.00', executedRate: '0.00000000' })
  })

  it('the prices of a receipt are those by its position among the updates of its block, of the dollar too', async () => {
    const { chain, oracles } = stack.market
    const push = (token: ForeignToken, answer: bigint) => {
      const data = encodeFunctionData({ abi, functionName: 'updateAnswer', args: [answer] })
      return submitAs(chain, stack.owner.address, { target: oracles[token], data })
    }
    const swap = submitAs(chain, user, route('fEUR', 'fUSD', 100))
    const before = [push('fEUR', 110_000_000n), push('fUSD', 100_000_000n)]
    const mined = await mineTogether(chain, [...before, swap, push('fEUR', 120_000_000n), push('fUSD', 99_000_000n)])
    const receipt = await readReceipt(mined[2]?.transactionHash ?? '0x')
    for (const token of ['fEUR', 'fUSD'] as const) await setForeignPrice(stack, token, foreignPrices[token])
    expectSum(receipt)
    expect(receipt).toMatchObject({ oracleAmountOut: '110.000000', oracleRate: '1.10000000' })
  })
})
