import { quoteRoute, type Route } from '@agio/core'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { poolAbi } from '../abi/index.ts'
import { toCallError } from '../revert/toCallError.ts'
import { callAtBlock } from '../rpc/callAtBlock.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'

/**
 * What a route pays for an exact input, in raw units of its last token, at the snapshot's block: by our maths where it
 * fits every pool, else by the pools' own views.
 *
 * @throws what `quoteRoute` throws, and `svc/reverted` or `svc/upstream-*` from a pool's view
 */
export function quoteConversion(
  rpc: Rpc,
  snapshot: Snapshot,
  { route, amountInRaw }: quoteConversion.Request,
): bigint | Promise<bigint> {
  const isOurs = route.every(({ pool }) => pool.quoting === 'maths')
  if (isOurs) return quoteRoute(route, amountInRaw, snapshot.block.timestampSeconds)
  return quoteByViews(rpc, snapshot, { route, amountInRaw })
}

export declare namespace quoteConversion {
  type Request = {
    readonly route: Route
    /** Raw units of the route's first token. */
    readonly amountInRaw: bigint
  }
}

async function quoteByViews(
  rpc: Rpc,
  snapshot: Snapshot,
  { route, amountInRaw }: quoteConversion.Request,
): Promise<bigint> {
  let amountRaw = amountInRaw
  for (const hop of route) amountRaw = await quoteByView(rpc, snapshot, { ...hop, amountInRaw: amountRaw })
  return amountRaw
}

async function quoteByView(
  rpc: Rpc,
  { block, tokens }: Snapshot,
  { pool, tokenIn, tokenOut, amountInRaw }: Route[0] & { readonly amountInRaw: bigint },
): Promise<bigint> {
  const args = [tokenIn, tokenOut, amountInRaw] as const
  const call = { to: pool.address, data: encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args }) }
  try {
    const data = await callAtBlock(rpc, [call, { blockHash: block.hash }])
    return decodeFunctionResult({ abi: poolAbi, functionName: 'viewOriginSwap', data })
  } catch (error) {
    throw toCallError(error, { tokenIn: tokens.get(tokenIn), tokenOut: tokens.get(tokenOut) })
  }
}
