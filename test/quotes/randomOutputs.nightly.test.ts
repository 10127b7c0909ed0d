import fc from 'fast-check'
import { expect, it } from 'vitest'
import { executeQuote } from '../harness/executeQuote.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { startAgio } from '../harness/startAgio.ts'
import { longTests } from '../harness/timeLimits.ts'
import { toDecimal } from '../harness/toPreview.ts'

const tokens = ['tUSD', 'tAUD', 'tEUR'] as const

it(
  '100 quotes of random exact outputs are each paid exactly, by their quoted input',
  { timeout: longTests.randomTransactions },
  async () => {
    await using agio = await startAgio()
    const chain = agio.localnet.chains[84532]
    const seed = randomSeed('quotes of exact outputs')
    const cases = fc.tuple(fc.shuffledSubarray([...tokens], { minLength: 2, maxLength: 2 }), fc.bigInt(1n, 10n ** 10n))
    for (const [[from = '', to = ''], outRaw] of fc.sample(cases, { seed, numRuns: 100 })) {
      const pair = { chainId: 84532, tokenIn: chain.tokens[from], tokenOut: chain.tokens[to] }
      const input = { ...pair, amountOut: toDecimal(outRaw, 6) }
      const { paidRaw, receivedRaw, amountInRaw } = await executeQuote(agio.callers.REST, chain, input)
      expect({ receivedRaw, paidRaw }).toEqual({ receivedRaw: outRaw, paidRaw: amountInRaw })
    }
  },
)
