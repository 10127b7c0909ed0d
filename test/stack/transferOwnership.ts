import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseAbi, type Address } from 'viem'
import { connectOwner } from './connectOwner.ts'

const abi = parseAbi(['function transferOwnership(address newOwner)'])

/** Transfers the oracles and pools of a chain to another owner, as on a network with a third-party deployment. */
export async function transferOwnership(chain: LocalChain, newOwner: Address): Promise<void> {
  const owner = connectOwner(chain)
  const data = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [newOwner] })
  for (const contract of [...Object.values(chain.oracles), ...Object.values(chain.pools)]) {
    await owner.send(contract, data)
  }
}
