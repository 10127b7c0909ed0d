import type { Route } from '@agio/core'
import { encodeFunctionData, type Hex } from 'viem'
import { routeReaderAbi } from '../abi/index.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { readViews } from './readViews.ts'
import { toHops } from './viewTogether.ts'

/**
 * Finds the largest input that a route pays for, by the views of its pools at one block, in one call. The route pays
 * nothing for one unit more.
 *
 * @param request.hintRaw an estimate of the input to find; the call costs more gas the less accurate it is
 * @returns undefined with a deployed reader, and if the node does not grant enough gas
 * @throws `svc/upstream-*`
 */
export async function findLargestInput(
  reader: Reader,
  blockHash: Hex,
  { route, hintRaw }: findLargestInput.Request,
): Promise<LargestInput | undefined> {
  const target = reader.routeReader
  if (target === undefined) return undefined
  const args = [toHops(route), hintRaw] as const
  const call = { target, data: encodeFunctionData({ abi: routeReaderAbi, functionName: 'largestInput', args }) }
  const [result] = await readViews(reader, blockHash, [call])
  if (result?.success !== true) return undefined
  const [amountInRaw, amountOutRaw] = decodeResult(result, routeReaderAbi, 'largestInput')
  return { amountInRaw, amountOutRaw }
}

export declare namespace findLargestInput {
  type Request = {
    readonly route: Route.Route
    /** Raw units of the route's first token. */
    readonly hintRaw: bigint
  }
}

/** The largest input and its output, in raw units; zero if the route pays for no input. */
export type LargestInput = { readonly amountInRaw: bigint; readonly amountOutRaw: bigint }
