import type { PoolState } from '@agio/core'
import type { Question, Swap } from './arbitraryWorld.ts'
import type { Answer } from './callAtBlock.ts'

/**
 * Counts by name what was asked and answered: each kind and its answers, and the exact inputs of two tokens that the pool has,
 * by direction and by decimals.
 */
export function createCaseCounter(): Tally {
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

type Tally = {
  readonly counts: Readonly<Record<string, number>>
  add(question: Question, answer: Answer): void
}

/** Undefined if the pool has not both of the tokens. */
function findDirection({ base, quote }: PoolState, { tokenIn, tokenOut }: Swap): string | undefined {
  if (tokenIn === base.token.address && tokenOut === quote.token.address) return 'base to quote'
  if (tokenIn === quote.token.address && tokenOut === base.token.address) return 'quote to base'
  return undefined
}
