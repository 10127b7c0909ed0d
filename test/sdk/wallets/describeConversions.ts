import { permit2Address } from '@agio/chain'
import { describe, expect, it } from 'vitest'
import type { QuoteRequest } from '../../../packages/sdk/src/index.ts'
import { setPrice } from '../../harness/movePrice.ts'
import { setUp } from '../../harness/setUp.ts'
import { longTests } from '../../harness/timeLimits.ts'
import { startSdkStack, type SdkStack } from '../startSdkStack.ts'
import { behaviours } from './behaviours.ts'
import { createActor, type Behaviour } from './createActor.ts'
import { paidBy, runThrough } from './runThrough.ts'

/** How the token is made spendable. */
type Way = 'a permit or a batch' | 'Permit2' | 'an approval'
type Options = NonNullable<Parameters<typeof runThrough>[2]>

/** Converts once through a new wallet. Returns what the chain says. */
async function convert(
  stack: SdkStack,
  { behaviour, way }: Case,
  options: Options = {},
  amount: object = { amountIn: '10' },
) {
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

type Case = { readonly behaviour: Behaviour; readonly way: Way }

/**
 * Describes conversions through each kind of wallet by one way. They mostly wait, so each way has a file of its own, which runs
 * beside the others.
 */
export function describeConversions(way: Way): void {
  const stack = setUp(startSdkStack)

  describe.each(behaviours)('$name', { timeout: longTests.randomTransactions }, (behaviour) => {
    it(`pays the input of an exact output once, by ${way}`, async () => {
      const { outcome } = await convert(stack, { behaviour, way }, {}, { amountOut: '5' })
      expect(outcome).toEqual(paidBy(outcome.prompts))
    })

    it(`pays at most once by ${way} if the page is reloaded at any step, or after any prompt, and never ends unsettled`, async () => {
      const { outcome, steps } = await convert(stack, { behaviour, way })
      expect(outcome).toEqual(paidBy(outcome.prompts))
      const reloadsAt = (name: 'step' | 'prompt', count: number) =>
        Array.from({ length: count }, (_, index) => ({ name, at: index + 1 }))
      for (const { name, at } of [...reloadsAt('step', steps.length), ...reloadsAt('prompt', outcome.prompts)]) {
        const reloaded = await convert(stack, { behaviour, way }, { reloadAt: (moment) => moment[name] === at })
        const { code, ...rest } = reloaded.outcome
        // The quote may expire while the page is away: then nothing is paid, and the user starts again.
        expect(['success', 'convert/dropped', 'svc/deadline-passed'], `reloaded at ${name} ${at}`).toContain(code)
        const expected = { isSettled: true, payments: code === 'success' ? 1 : 0, resumes: 0 }
        expect(rest, `reloaded at ${name} ${at}`).toMatchObject(expected)
      }
    })
  })
}
