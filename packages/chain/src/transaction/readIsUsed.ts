import type { Address } from '@agio/core'
import { hexToNumber, numberToHex } from 'viem'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'

/** Returns whether a nonce is used after a block; undefined without the state of that block. @throws `svc/upstream-*` */
export async function readIsUsed(
  { client }: Pick<Rpc, 'client'>,
  { from, nonce }: { readonly from: Address; readonly nonce: number },
  block: bigint,
): Promise<boolean | undefined> {
  try {
    const count = await client.request({ method: 'eth_getTransactionCount', params: [from, numberToHex(block)] })
    return hexToNumber(count) > nonce
  } catch (error) {
    const upstream = toUpstreamError(error)
    if (upstream.code === 'svc/upstream-error') return undefined
    throw upstream
  }
}
