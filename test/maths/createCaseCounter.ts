import type { PoolState } from '@agio/core'
import type { SwapCase, Swap } from './arbitraryCases.ts'
import type { Answer } from './callAtBlock.ts'

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
function findDirection({ base, quote }: PoolState, { tokenIn, tokenOut }: Swap): string | undefined {
  if (tokenIn === base.token.address && tokenOut === quote.token.address) return 'base to quote'
  if (tokenIn === quote.token.address && tokenOut === base.token.address) return 'quote to base'
  return undefined
}
