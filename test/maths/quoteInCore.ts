import { Hop, PoolMath, ServiceError } from '@agio/core'
import type { SwapCase } from './arbitraryCases.ts'
import type { Answer } from '../harness/readAtBlock.ts'

/** Returns the outcome of a case by the maths of `core`, at a time. Like the contract, it refuses a frozen pool first. */
export function quoteInCore({ pool, swap }: SwapCase, nowSeconds: bigint): Answer {
  const { kind, amountRaw, tokenIn, tokenOut } = swap
  if (pool.frozen) return 'svc/pool-frozen'
  try {
    const hop = Hop.from(pool, tokenIn, tokenOut)
    if (kind === 'exactIn') return PoolMath.priceExactIn(hop, amountRaw, nowSeconds).amountOutRaw
    if (kind === 'exactOut') return PoolMath.priceExactOut(hop, amountRaw, nowSeconds)
    PoolMath.priceExactIn(hop, 1n, nowSeconds)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isOfAmount = ['svc/above-max-origin', 'svc/amount-too-small'].includes(error.code)
    if (kind !== 'maxOrigin' || !isOfAmount) return error.code
  }
  return PoolMath.maxOrigin(Hop.from(pool, tokenIn, tokenOut))
}
