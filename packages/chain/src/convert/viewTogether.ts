import { Hop, type Route } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { routeReaderAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { readViews } from './readViews.ts'
import { toFirstToken, toOutcome, type Outcome } from './viewOutcome.ts'

/**
 * Returns the outputs of pools in sequence for many inputs, by their own views at one block, as `viewRoute` returns
 * them. The RouteReader passes the outputs of each pool to the next one.
 *
 * @returns undefined if the RouteReader is not available, or needs more gas than the node grants
 * @throws the errors of `viewRoute`
 */
export async function viewTogether(
  reader: Reader,
  block: Head,
  { route, amountsInRaw }: viewTogether.Request,
): Promise<readonly Outcome[] | undefined> {
  const target = reader.routeReader
  if (target === undefined) return undefined
  const [first, ...others] = route
  Hop.assertPriceable(first, 1n, block.timestampSeconds)
  const hops = toHops(route)
  const calls = amountsInRaw.map((amountInRaw) => {
    const args = [hops, amountInRaw] as const
    return { target, data: encodeFunctionData({ abi: routeReaderAbi, functionName: 'viewRoute', args }) }
  })
  const results = await readViews(reader, block.hash, calls)
  if (!results.every((result) => result?.success === true)) return undefined
  const views = results.map((result) => decodeResult(result, routeReaderAbi, 'viewRoute'))
  let outcomes = amountsInRaw.map((amountInRaw, index) => toOutcome(views[index]?.[0], first, amountInRaw))
  for (const [at, hop] of others.entries()) {
    if (!outcomes.some((outcome) => typeof outcome === 'bigint')) break
    Hop.assertPriceable(hop, 1n, block.timestampSeconds)
    outcomes = outcomes.map((amountRaw, index) => {
      if (typeof amountRaw !== 'bigint') return amountRaw
      const outcome = toOutcome(views[index]?.[at + 1], hop, amountRaw)
      return toFirstToken(outcome, first.origin.token, amountsInRaw[index] ?? 0n)
    })
  }
  return outcomes
}

export declare namespace viewTogether {
  type Request = {
    readonly route: Route.Route
    /** Raw units of the route's first token. */
    readonly amountsInRaw: readonly bigint[]
  }
}

/** Converts the pools of a route to the arguments of the RouteReader. */
export function toHops(route: Route.Route) {
  return route.map(({ pool, origin, target }) => ({
    pool: pool.address,
    origin: origin.token.address,
    target: target.token.address,
  }))
}
