import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { executeQuote } from '../harness/executeQuote.ts'

const conversions = [
  { from: 'tAUD', to: 'tUSD' },
  { from: 'tUSD', to: 'tEUR' },
  { from: 'tAUD', to: 'tEUR' },
] as const

let stack: AgioStack
let chain: LocalChain

beforeAll(async () => {
  stack = await startAgio()
  chain = stack.localnet.chains[84532]
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

const pairOf = (from: string, to: string) => ({
  chainId: 84532,
  tokenIn: chain.tokens[from],
  tokenOut: chain.tokens[to],
})

describe.each(['REST', 'tRPC'] as const)('quotes that are executed (%s)', (transport) => {
  it.each(conversions)(
    'a quote of an exact input of $from is executed for exactly its amounts of $to',
    async ({ from, to }) => {
      const call = stack.callers[transport]
      const executed = await executeQuote(call, chain, { ...pairOf(from, to), amountIn: '1234.567891' })
      expect(executed.quoted).toMatchObject({ mode: 'exact-in', amountIn: '1234.567891' })
      expect([executed.paidRaw, executed.receivedRaw]).toEqual([1_234_567_891n, executed.amountOutRaw])
      expect(executed.sent['convert']).toMatchObject({
        amountIn: '1234.567891',
        expectedAmountIn: '1234.567891',
        expectedAmountOut: executed.quoted.amountOut,
        actualAmountOut: executed.quoted.amountOut,
      })
    },
  )

  it.each(conversions)(
    'a quote of an exact output of $to is executed for exactly its amounts of $from',
    async ({ from, to }) => {
      const call = stack.callers[transport]
      const executed = await executeQuote(call, chain, { ...pairOf(from, to), amountOut: '987.654321' })
      expect(executed.quoted).toMatchObject({ mode: 'exact-out', amountOut: '987.654321' })
      expect([executed.paidRaw, executed.receivedRaw]).toEqual([executed.amountInRaw, 987_654_321n])
      expect(executed.sent['convert']).toMatchObject({
        amountIn: executed.quoted.amountIn,
        expectedAmountIn: executed.quoted.amountIn,
        actualAmountOut: '987.654321',
      })
    },
  )

  it.each([{ amountIn: '10' }, { amountOut: '10' }])(
    'the recipient of a quote of %j gets the output, and the payer pays',
    async (amount) => {
      const recipient = getAddress(privateKeyToAddress(generatePrivateKey()))
      const call = stack.callers[transport]
      const executed = await executeQuote(call, chain, { ...pairOf('tAUD', 'tEUR'), ...amount, recipient })
      expect([executed.paidRaw, executed.receivedRaw]).toEqual([executed.amountInRaw, executed.amountOutRaw])
      expect(executed.sent['convert']).toMatchObject({ actualAmountOut: executed.quoted.amountOut })
    },
  )
})
