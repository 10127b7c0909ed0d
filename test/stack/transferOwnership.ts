import type { LocalChain } from '@agio/localnet'
import { parseAbi, type Address } from 'viem'
import { connectOwner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'

const abi = parseAbi(['function transferOwnership(address newOwner)'])

/** Transfers the oracles and pools of a chain to another owner, as on a network with a third-party deployment. */
export async function transferOwnership(chain: LocalChain, newOwner: Address): Promise<void> {
  const { client } = connectOwner(chain)
  const transfer = { abi, functionName: 'transferOwnership', args: [newOwner] } as const
  for (const address of [...Object.values(chain.oracles), ...Object.values(chain.pools)]) {
    await writeContract(client, { address, ...transfer })
  }
}
