import { permit2Address } from '@agio/chain'
import { describe, expect, it } from 'vitest'
import type { QuoteRequest } from '../../../packages/sdk/src/index.ts'
import { setPrice } from '../../harness/movePrice.ts'
import { setUp } from '../../harness/setUp.ts'
import { longTests } from '../../harness/timeLimits.ts'
import { startSdkStack } from '../startSdkStack.ts'
import { behaviours } from './behaviours.ts'
import { createActor, type Behaviour } from './createActor.ts'
import { paidBy, runThrough } from './runThrough.ts'

const stack = setUp(startSdkStack)

type Way = (typeof ways)[number]
type Options = NonNullable<Parameters<typeof runThrough>[2]>

const ways = ['a permit or a batch', 'Permit2', 'an approval'] as const

/** Converts once through a new wallet. Returns what the chain says. */
async function convert(behaviour: Behaviour, way: Way, options: Options = {}, amount: object = { amountIn: '10' }) {
  const { tokens, chainId } = stack.chain
  // Each conversion that waits for a deadline lets a minute pass, and a price is stale after an hour.
  await setPrice(stack.chain, 'tAUD', 65_120_000n)
  await stack.pass(1)
  const [tokenIn, tokenOut] = way === 'Permit2' ? [tokens.tUSD, tokens.tAUD] : [tokens.tAUD, tokens.tUSD]
  const approved = way === 'Permit2' && { approved: { token: tokenIn, spender: permit2Address } }
  const actor = await createActor(stack, { ...behaviour, ...approved })
  const request = { chainId, tokenIn, tokenOut, ...amount } as QuoteRequest
  const approval = way === 'an approval' ? 'approve' : 'shortest'
  return await runThrough(stack, actor, { request, approval, ...options })
}

describe.each(behaviours)('$name', { timeout: longTests.randomTransactions }, (behaviour) => {
  it.each(ways)('pays the input of an exact output once, by %s', async (way) => {
    const { outcome } = await convert(behaviour, way, {}, { amountOut: '5' })
    expect(outcome).toEqual(paidBy(outcome.prompts))
  })

  it.each(ways)(
    'pays at most once by %s if the page is reloaded at any step, or after any prompt, and never ends unsettled',
    async (way) => {
      const { outcome, steps } = await convert(behaviour, way)
      expect(outcome).toEqual(paidBy(outcome.prompts))
      const reloadsAt = (name: 'step' | 'prompt', count: number) =>
        Array.from({ length: count }, (_, index) => ({ name, at: index + 1 }))
      for (const { name, at } of [...reloadsAt('step', steps.length), ...reloadsAt('prompt', outcome.prompts)]) {
        const reloaded = await convert(behaviour, way, { reloadAt: (moment) => moment[name] === at })
        const { code, ...rest } = reloaded.outcome
        // The quote may expire while the page is away: then nothing is paid, and the user starts again.
        expect(['success', 'convert/dropped', 'svc/deadline-passed'], `reloaded at ${name} ${at}`).toContain(code)
        const expected = { isSettled: true, payments: code === 'success' ? 1 : 0, resumes: 0 }
        expect(rest, `reloaded at ${name} ${at}`).toMatchObject(expected)
      }
    },
  )
})
