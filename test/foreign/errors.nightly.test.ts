import { poolAbi } from '@agio/chain/abi'
import { parseUnits } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foreignPrices } from '../harness/deployForeignPools.ts'
import { setAge, setForeignPrice, setState } from './changeMarket.ts'
import { toRequest, type Conversion } from './conversions.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { setUp } from '../harness/setUp.ts'

const transports = ['REST', 'tRPC'] as const
const quoteOperations = ['convert.preview', 'transaction.buildConvert'] as const
const everyQuote = transports.flatMap((transport) => quoteOperations.map((operation) => ({ transport, operation })))
const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const stack = setUp(startForeignStack)

describe('a revert of a foreign pool', () => {
  it.each<Conversion & { readonly reason: string }>([
    { from: 'fEUR', to: 'fUSD', amountIn: '600000.00', reason: 'Curve/upper-halt' },
    { from: 'fUSD', to: 'fEUR', amountIn: '600000.000000', reason: 'Curve/lower-halt' },
    { from: 'fSGD', to: 'fUSD', amountIn: '900000.000000', reason: 'Curve/upper-halt' },
    { from: 'fEUR', to: 'fUSD', amountIn: `${'9'.repeat(40)}.00`, reason: 'no reason' },
    { from: 'fEUR', to: 'fUSD', amountIn: `${'9'.repeat(74)}.00`, reason: 'an overflow' },
  ])('error: svc/above-max-origin without a limit for $reason: $amountIn $from to $to', async (conversion) => {
    for (const { transport, operation } of everyQuote) {
      const { amountIn } = conversion
      const answer = await request(transport, operation, conversion)
      expect(answer).toMatchObject({ status: 422, failure: { code: 'svc/above-max-origin', amountIn } })
      expect(answer.failure).not.toHaveProperty('maxAmountIn')
    }
  })

  it.each<Omit<Conversion, 'amountIn'> & { readonly amountOut: string; readonly reason: string }>([
    { from: 'fEUR', to: 'fUSD', amountOut: '600000', reason: 'beyond the halt' },
    { from: 'fUSD', to: 'fEUR', amountOut: '100000000', reason: 'beyond the reserve' },
    { from: 'fEUR', to: 'fUSD', amountOut: '9'.repeat(71), reason: 'beyond any amount' },
    { from: 'fEUR', to: 'fAUD', amountOut: '300000', reason: 'beyond the halt of the second pool' },
    { from: 'fAUD', to: 'fEUR', amountOut: '300000', reason: 'beyond the halt of the first pool' },
  ])(
    'error: svc/above-max-origin for an exact output $reason, with an input that is refused too',
    async ({ reason: _, amountOut, ...pair }) => {
      const { tokenIn, tokenOut } = toRequest(stack, { ...pair, amountIn: '1' })
      const { failure } = await stack.callers.REST('convert.quote', { chainId: 84532, tokenIn, tokenOut, amountOut })
      expect(failure).toMatchObject({ code: 'svc/above-max-origin', amountIn: expect.any(String) })
      const refused = await request('REST', 'convert.preview', { ...pair, amountIn: String(failure?.['amountIn']) })
      expect(refused).toMatchObject({ status: 422, failure: { code: 'svc/above-max-origin' } })
    },
  )

  it.each(everyQuote)(
    'error: svc/above-max-origin at the second pool with the amount in the first token ($operation, $transport)',
    async ({ transport, operation }) => {
      const conversion = { from: 'fEUR', to: 'fAUD', amountIn: '300000.00' } as const
      expect(await request(transport, operation, { ...conversion, to: 'fUSD' })).toMatchObject({ status: 200 })
      const { failure } = await request(transport, operation, conversion)
      expect(failure).toMatchObject({ code: 'svc/above-max-origin', amountIn: '300000.00' })
      expect(failure).not.toHaveProperty('maxAmountIn')
    },
  )

  it.each(everyQuote)(
    'error: svc/amount-too-small if a view returns zero ($operation, $transport)',
    async ({ transport, operation }) => {
      for (const from of ['fUSD', 'fSGD'] as const) {
        const answer = await request(transport, operation, { from, to: 'fEUR', amountIn: '0.009' })
        expect(answer).toMatchObject({ status: 422, failure: { code: 'svc/amount-too-small' } })
      }
    },
  )
})

describe('a refusal of every amount', () => {
  const setBoth = (isFrozen: boolean, isEmergency: boolean) => async () => {
    await setState(stack, 'fEUR/fUSD', ['setFrozen', isFrozen])
    await setState(stack, 'fEUR/fUSD', ['setEmergency', isEmergency])
  }
  const setRound = (answer: bigint, ageSeconds: bigint) => () => setAge(stack, 'fEUR', { answer, ageSeconds })

  it.each<readonly [code: string, reason: string, inject: () => Promise<unknown>]>([
    ['svc/pool-frozen', 'a frozen pool', setBoth(true, false)],
    ['svc/pool-frozen', 'a pool in an emergency', setBoth(false, true)],
    ['svc/stale-price', 'a price after the maximum age', setRound(foreignPrices.fEUR, 3700n)],
    ['svc/stale-price', 'a price below zero', setRound(-1n, 0n)],
    ['svc/stale-price', 'a price of zero', setRound(0n, 0n)],
  ])('error: %s for each amount because of %s, whichever pool of the route it is', async (code, _, inject) => {
    onTestFinished(async () => {
      await setBoth(false, false)()
      await setRound(foreignPrices.fEUR, 0n)()
    })
    await inject()
    const other = { from: 'fSGD', to: 'fAUD', amountIn: '10' } as const
    expect(await request('REST', 'convert.preview', other)).toMatchObject({ status: 200 })
    for (const [from, to] of [
      ['fEUR', 'fAUD'],
      ['fAUD', 'fEUR'],
    ] as const) {
      for (const amountIn of ['0.01', '10.00', '600000.00']) {
        for (const { transport, operation } of everyQuote) {
          expect(await request(transport, operation, { from, to, amountIn })).toMatchObject({ failure: { code } })
        }
        const { amountIn: __, ...pair } = toRequest(stack, { from, to, amountIn })
        for (const [operation, amounts] of [
          ['convert.ladder', { amounts: [amountIn] }],
          ['convert.quote', { amountIn }],
          ['convert.quote', { amountOut: amountIn }],
        ] as const) {
          expect(await stack.callers.REST(operation, { ...pair, ...amounts })).toMatchObject({ failure: { code } })
        }
      }
    }
  })
})

describe('a price that is stale at the block although the view accepts it', () => {
  it.each(['fEUR', 'fUSD'] as const)(
    'error: svc/stale-price with the oracle of %s one second after the maximum age',
    async (token) => {
      const answer = foreignPrices[token]
      onTestFinished(async () => {
        await setForeignPrice(stack, token, answer)
        await stack.seen()
      })
      const conversion = { from: 'fEUR', to: 'fUSD', amountIn: '10' } as const
      await setAge(stack, token, { answer, ageSeconds: 3600n })
      expect(await request('REST', 'convert.preview', conversion)).toMatchObject({ status: 200 })
      const givenAt = await setAge(stack, token, { answer, ageSeconds: 3601n })
      const updatedAt = new Date(Number(givenAt) * 1000).toISOString()
      const failure = { code: 'svc/stale-price', oracle: stack.market.oracles[token], updatedAt, maxAgeSeconds: 3600 }
      for (const { transport, operation } of everyQuote) {
        expect(await request(transport, operation, conversion)).toMatchObject({ status: 422, failure })
      }
      const pool = { address: stack.market.pools['fEUR/fUSD'], abi: poolAbi, functionName: 'viewOriginSwap' } as const
      const args = [stack.market.tokens.fEUR, stack.market.tokens.fUSD, parseUnits('10', 2)] as const
      expect(await stack.owner.client.readContract({ ...pool, args })).toBeGreaterThan(0n)
    },
  )
})

async function request(
  transport: (typeof transports)[number],
  operation: (typeof quoteOperations)[number],
  conversion: Conversion,
) {
  const build = operation === 'transaction.buildConvert' ? { userAddress, minAmountOut: '0.01' } : {}
  return await stack.callers[transport](operation, { ...toRequest(stack, conversion), ...build })
}
