import type { Pool } from '@agio/core'
import { atLeast } from './atLeast.ts'
import type { SwapCase, Swap } from './arbitraryCases.ts'
import type { Answer } from '../harness/readAtBlock.ts'

/**
 * Counts cases by name: each kind and its outcomes, and the exact inputs between the two tokens of the pool by direction and
 * by decimals.
 */
export function createCaseCounter(): CaseCounter {
  const counts: Record<string, number> = {}
  return {
    counts,
    add({ pool, swap }, answer) {
      const names: string[] = [swap.kind, `${swap.kind} ${typeof answer === 'bigint' ? 'amount' : answer}`]
      const direction = findDirection(pool, swap)
      if (swap.kind === 'exactIn' && direction) {
        const { base, quote } = pool
        names.push(
          `exactIn ${direction}`,
          `exactIn ${base.token.decimals} and ${quote.token.decimals} decimals ${direction}`,
        )
      }
      for (const name of names) counts[name] = (counts[name] ?? 0) + 1
    },
  }
}

type CaseCounter = {
  readonly counts: Readonly<Record<string, number>>
  add(swapCase: SwapCase, answer: Answer): void
}

/** The direction of a swap; undefined if the pool does not hold both tokens. */
function findDirection({ base, quote }: Pool.Pool, { tokenIn, tokenOut }: Swap): string | undefined {
  if (tokenIn === base.token.address && tokenOut === quote.token.address) return 'base to quote'
  if (tokenIn === quote.token.address && tokenOut === base.token.address) return 'quote to base'
  return undefined
}

// Far below the expected counts of a run of some 31,000 random cases.
const leastCounts = {
  'exactIn base to quote': 9000,
  'exactIn quote to base': 9000,
  ...Object.fromEntries(
    [2, 6, 18].flatMap((base) =>
      [2, 6, 18].flatMap((quote) => [
        [`exactIn ${base} and ${quote} decimals base to quote`, 800],
        [`exactIn ${base} and ${quote} decimals quote to base`, 800],
      ]),
    ),
  ),
  'exactIn amount': 6000,
  'exactIn svc/above-max-origin': 3000,
  'exactIn svc/stale-price': 1000,
  'exactIn svc/amount-too-small': 500,
  'exactIn svc/pool-frozen': 200,
  'exactIn svc/unsupported-token': 100,
  'exactIn svc/invalid-request': 50,
  exactOut: 5000,
  'exactOut amount': 800,
  'exactOut svc/above-max-origin': 1000,
  'exactOut svc/stale-price': 300,
  'exactOut svc/amount-too-small': 10,
  'exactOut svc/pool-frozen': 50,
  'exactOut svc/unsupported-token': 30,
  'exactOut svc/invalid-request': 10,
  maxOrigin: 2500,
  'maxOrigin amount': 1500,
}

/**
 * Matches the counts of a run of random cases, which must have covered each kind of outcome.
 *
 * @param share the size of the run relative to the exhaustive one
 */
export function minimumCounts(share: number): Readonly<Record<string, unknown>> {
  return atLeast(
    Object.fromEntries(Object.entries(leastCounts).map(([name, least]) => [name, Math.floor(least * share)])),
  )
}
