import { assertQuotable, type ConversionRoute, type Hop } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { routeReaderAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { readViews } from './readViews.ts'
import { toFirstToken, toOutcome, type Outcome } from './viewOutcome.ts'

/**
 * The outputs of two pools in sequence for many inputs, by their own views at one block, as `viewRoute` returns them: the
 * RouteReader passes the outputs of the first to the second.
 *
 * @returns undefined if the RouteReader is not available, or needs more gas than the node grants
 * @throws what `viewRoute` throws
 */
export async function viewTogether(
  reader: Reader,
  block: Head,
  { hops: [first, second], amountsInRaw }: viewTogether.Request,
): Promise<readonly Outcome[] | undefined> {
  const target = reader.routeReader
  if (target === undefined) return undefined
  const sides = assertQuotable(first.pool, { ...first, amountRaw: 1n }, block.timestampSeconds)
  const hops = toHops([first, second])
  const calls = amountsInRaw.map((amountInRaw) => {
    const args = [hops, amountInRaw] as const
    return { target, data: encodeFunctionData({ abi: routeReaderAbi, functionName: 'viewRoute', args }) }
  })
  const results = await readViews(reader, block.hash, calls)
  if (!results.every((result) => result?.success === true)) return undefined
  const pairs = results.map((result) => decodeResult(result, routeReaderAbi, 'viewRoute'))
  const betweens = pairs.map(([ofFirst], index) => toOutcome(ofFirst, sides, amountsInRaw[index] ?? 0n))
  if (!betweens.some((between) => typeof between === 'bigint')) return betweens
  const sidesOfSecond = assertQuotable(second.pool, { ...second, amountRaw: 1n }, block.timestampSeconds)
  return betweens.map((between, index) => {
    if (typeof between !== 'bigint') return between
    const outcome = toOutcome(pairs[index]?.[1], sidesOfSecond, between)
    return toFirstToken(outcome, sides[0].token, amountsInRaw[index] ?? 0n)
  })
}

export declare namespace viewTogether {
  type Request = {
    readonly hops: readonly [Hop, Hop]
    /** Raw units of the first token. */
    readonly amountsInRaw: readonly bigint[]
  }
}

/** The pools of a route as the RouteReader takes them. */
export function toHops(route: ConversionRoute) {
  return route.map(({ pool, tokenIn, tokenOut }) => ({ pool: pool.address, origin: tokenIn, target: tokenOut }))
}
