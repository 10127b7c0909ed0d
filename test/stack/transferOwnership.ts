import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseAbi, type Address } from 'viem'
import { connectOwner } from './connectOwner.ts'

const abi = parseAbi(['function transferOwnership(address newOwner)'])

/** Makes somebody else the owner of a chain's oracles and pools, as on a network where others have deployed. */
export async function transferOwnership(chain: LocalChain, newOwner: Address): Promise<void> {
  const owner = connectOwner(chain)
  const data = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [newOwner] })
  for (const contract of [...Object.values(chain.oracles), ...Object.values(chain.pools)]) {
    await owner.send(contract, data)
  }
}
