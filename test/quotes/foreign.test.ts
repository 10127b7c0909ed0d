import { getAddress, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startForeignStack, type ForeignStack } from '../harness/startForeignStack.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { foreignDecimals, type ForeignToken } from '../harness/deployForeignPools.ts'
import { executeQuote, requestQuote } from '../harness/executeQuote.ts'
import { partOf } from '../harness/partOf.ts'

const conversions: readonly { from: ForeignToken; to: ForeignToken; amount: string }[] = [
  { from: 'fEUR', to: 'fUSD', amount: '1000' },
  { from: 'fEUR', to: 'fAUD', amount: '123.45' },
  { from: 'fUSD', to: 'fAUD', amount: '2500.5' },
  { from: 'fUSD', to: 'fEUR', amount: '10.5' },
  { from: 'fAUD', to: 'fSGD', amount: '77.7' },
]

describe.each([
  ['our router', 'Router'],
  ['a router of the family', 'testing/FamilyRouter'],
] as const)('quotes over foreign pools by %s', (name, contract) => {
  let stack: ForeignStack

  beforeAll(async () => {
    stack = await startForeignStack(undefined, { router: contract })
  })

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]()
  })

  const pairOf = (from: ForeignToken, to: ForeignToken) => {
    const { tokens } = stack.market
    return { chainId: 84532, tokenIn: tokens[from], tokenOut: tokens[to] }
  }

  it.each(partOf(conversions, 2))(
    `a quote of an exact input by ${name} pays at least its minimum: $amount $from to $to`,
    async ({ from, to, amount }) => {
      const input = { ...pairOf(from, to), amountIn: amount, slippageBps: 0 }
      const { quoted, receivedRaw, paidRaw, amountInRaw } = await executeQuote(
        stack.callers.REST,
        stack.market.chain,
        input,
      )
      expect(paidRaw).toBe(amountInRaw)
      expect(receivedRaw).toBeGreaterThanOrEqual(parseUnits(quoted.minAmountOut ?? '', foreignDecimals[to]))
      expect(Number(quoted.parts.rounding)).toBe(0)
    },
  )

  it.each(partOf(conversions, 2))(
    `a quote of an exact output by ${name} pays at least that output, for the smallest input that does: $amount $to for $from`,
    async ({ from, to, amount }) => {
      const input = { ...pairOf(from, to), amountOut: amount }
      const { quoted, receivedRaw, paidRaw, amountInRaw, amountOutRaw } = await executeQuote(
        stack.callers.tRPC,
        stack.market.chain,
        input,
      )
      expect(quoted).toMatchObject({ mode: 'exact-out', maxAmountIn: quoted.amountIn })
      expect(paidRaw).toBe(amountInRaw)
      expect(receivedRaw).toBeGreaterThanOrEqual(amountOutRaw)
      const smaller = { ...pairOf(from, to), amountIn: toDecimal(amountInRaw - 1n, foreignDecimals[from]) }
      const { minAmountOut = '' } = await requestQuote(stack.callers.REST, { ...smaller, slippageBps: 0 })
      expect(parseUnits(minAmountOut, foreignDecimals[to])).toBeLessThan(amountOutRaw)
    },
  )

  it(`a tolerance is refused by ${name} for an exact output over foreign pools, where it has no effect`, async () => {
    const request = { ...pairOf('fEUR', 'fUSD'), amountOut: '10', slippageBps: 5 }
    for (const call of Object.values(stack.callers)) {
      expect(await call('convert.quote', request)).toMatchObject({
        status: 400,
        failure: { code: 'svc/invalid-request', field: 'slippageBps', value: 5 },
      })
    }
  })

  it(`a quote of ${name} over foreign pools is renewed at its own limit, and not at one unit less`, async () => {
    const pair = pairOf('fEUR', 'fUSD')
    const accepted = await requestQuote(stack.callers.REST, { ...pair, amountOut: '10' })
    const maxAmountIn = accepted.maxAmountIn ?? ''
    const renew = async (limit: string) =>
      await stack.callers.REST('convert.quote', { ...pair, amountOut: '10', maxAmountIn: limit })
    expect(await renew(maxAmountIn)).toMatchObject({ status: 200, data: { amountIn: maxAmountIn, maxAmountIn } })
    const less = toDecimal(parseUnits(maxAmountIn, foreignDecimals.fEUR) - 1n, foreignDecimals.fEUR)
    expect(await renew(less)).toMatchObject({ status: 422, failure: { code: 'svc/above-max-input' } })
    const { minAmountOut = '' } = await requestQuote(stack.callers.REST, { ...pair, amountIn: '10', slippageBps: 0 })
    const renewed = await stack.callers.REST('convert.quote', { ...pair, amountIn: '10', minAmountOut })
    expect(renewed).toMatchObject({ status: 200, data: { minAmountOut } })
  })

  const amounts = [{ amountIn: '10' }, { amountOut: '10' }]
  const [paid, refused] = contract === 'Router' ? [amounts, []] : [[], amounts]
  const toRecipient = (amount: object) => {
    const recipient = getAddress(privateKeyToAddress(generatePrivateKey()))
    return { ...pairOf('fEUR', 'fUSD'), ...amount, recipient }
  }

  it.each(paid)(`another recipient of %j is paid by ${name}`, async (amount) => {
    const input = toRecipient(amount)
    const { receivedRaw, amountOutRaw } = await executeQuote(stack.callers.REST, stack.market.chain, input)
    expect(receivedRaw).toBeGreaterThanOrEqual(amountOutRaw - 2n)
  })

  it.each(refused)(`another recipient of %j is refused by ${name}`, async (amount) => {
    expect(await stack.callers.REST('convert.quote', toRecipient(amount))).toMatchObject({
      status: 422,
      failure: { code: 'svc/recipient-unsupported', field: 'recipient', action: 'fix_input' },
    })
  })
})
