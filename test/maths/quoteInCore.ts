import { getMaxOrigin, quoteExactIn, quoteExactOut, ServiceError, sidesOf } from '@agio/core'
import type { SwapCase } from './arbitraryCases.ts'
import type { Answer } from '../harness/readAtBlock.ts'

/** The outcome of a case by the maths of `core`, at a time. */
export function quoteInCore({ pool, swap }: SwapCase, nowSeconds: bigint): Answer {
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
