import type { Address } from '@agio/core'
import { hexToNumber } from 'viem'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'

/** Reads the next nonce of an account. @throws `svc/upstream-*` */
export async function readNonces({ client }: Pick<Rpc, 'client'>, address: Address): Promise<Nonces> {
  const nonceAt = async (tag: 'pending' | 'latest') =>
    hexToNumber(await client.request({ method: 'eth_getTransactionCount', params: [address, tag] }))
  const [pending, latest] = await Promise.all([nonceAt('pending'), nonceAt('latest')]).catch(rethrowUpstream)
  return { pending, latest }
}

/** With the pending transactions of the account, and without. */
export type Nonces = { readonly pending: number; readonly latest: number }
