import { getMaxOrigin, quoteExactIn, quoteExactOut, ServiceError, sidesOf } from '@agio/core'
import type { Question } from './arbitraryWorld.ts'
import type { Answer } from './callAtBlock.ts'

/** What our maths answers of a pool in the state of the question, at that time. */
export function quoteInCore({ pool, swap }: Question, nowSeconds: bigint): Answer {
  const { kind, amountRaw, ...pair } = swap
  try {
    if (kind === 'exactIn') return quoteExactIn(pool, { ...pair, amountInRaw: amountRaw }, nowSeconds).amountOutRaw
    if (kind === 'exactOut') return quoteExactOut(pool, { ...pair, amountOutRaw: amountRaw }, nowSeconds)
    quoteExactIn(pool, { ...pair, amountInRaw: 1n }, nowSeconds)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isOfAmount = ['svc/above-max-origin', 'svc/amount-too-small'].includes(error.code)
    if (kind !== 'maxOrigin' || !isOfAmount) return error.code
  }
  return getMaxOrigin(...sidesOf(pool, pair.tokenIn, pair.tokenOut), pool.alpha)
}
