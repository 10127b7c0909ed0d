import type { Deployment } from '@agio/chain'
import type { Address } from '@agio/core'
import { keccak256, type PublicClient } from 'viem'

/**
 * Reads the hash of the code of each contract, by address.
 *
 * @throws `Error` that names a contract without code
 */
export async function readCodeHashes(
  client: Pick<PublicClient, 'getCode'>,
  addresses: readonly Address[],
): Promise<NonNullable<Deployment['codeHashes']>> {
  const read = async (address: Address) => {
    const code = await client.getCode({ address })
    if (!code) throw new Error(`Cannot read the code of ${address}: it has none`)
    return [address, keccak256(code)] as const
  }
  return Object.fromEntries(await Promise.all(addresses.map(read)))
}
