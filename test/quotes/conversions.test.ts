import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { LocalChain } from '@agio/localnet'
import { beforeAll, describe, expect, it } from 'vitest'
import { startAgio } from '../harness/startAgio.ts'
import { executeQuote } from '../harness/executeQuote.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const conversions = [
  { from: 'tAUD', to: 'tUSD' },
  { from: 'tUSD', to: 'tEUR' },
  { from: 'tAUD', to: 'tEUR' },
].flatMap((pair) => [
  { ...pair, amount: { amountIn: '1234.567891' } },
  { ...pair, amount: { amountOut: '987.654321' } },
])

const stack = setUp(startAgio)
let chain: LocalChain

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
})

describe.each(partOf(['REST', 'tRPC'] as const))('quotes that are executed (%s)', (transport) => {
  it.each(conversions)(
    'a quote of $amount is executed for exactly its amounts, $from to $to, by the wallet and for a recipient',
    async ({ from, to, amount }) => {
      for (const recipient of [undefined, getAddress(privateKeyToAddress(generatePrivateKey()))]) {
        const pair = { chainId: 84532, tokenIn: chain.tokens[from], tokenOut: chain.tokens[to] }
        const input = { ...pair, ...amount, ...(recipient && { recipient }) }
        const executed = await executeQuote(stack.callers[transport], chain, input)
        const { quoted, paidRaw, receivedRaw, amountInRaw, amountOutRaw } = executed
        expect(quoted).toMatchObject({ mode: 'amountIn' in amount ? 'exact-in' : 'exact-out', ...amount })
        expect([paidRaw, receivedRaw]).toEqual([amountInRaw, amountOutRaw])
        expect(executed.sent['convert']).toMatchObject({
          amountIn: quoted.amountIn,
          expectedAmountIn: quoted.amountIn,
          expectedAmountOut: quoted.amountOut,
          actualAmountOut: quoted.amountOut,
        })
      }
    },
  )
})
