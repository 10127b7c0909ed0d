import type { Address } from '@agio/core'
import { encodeFunctionData, isAddressEqual, parseAbi } from 'viem'
import type { Deployer } from './createDeployer.ts'
import type { DeployedContract } from './deployStack.ts'
import { undefinedIfReverted } from './undefinedIfReverted.ts'

const ownableAbi = parseAbi([
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function transferOwnership(address newOwner)',
])

/**
 * Transfers the ownership of every contract that the deployer owns. A contract that transfers in two steps keeps the
 * deployer as its owner until the new owner accepts.
 *
 * @returns the contracts that the new owner must accept
 * @throws `Error` if a transfer reverts
 */
export async function handOver(
  deployer: Deployer,
  contracts: readonly DeployedContract[],
  newOwner: Address,
): Promise<readonly DeployedContract[]> {
  const read = async (address: Address, functionName: 'owner' | 'pendingOwner') =>
    await undefinedIfReverted(deployer.client.readContract({ address, abi: ownableAbi, functionName }))
  const pending: DeployedContract[] = []
  const data = encodeFunctionData({ abi: ownableAbi, functionName: 'transferOwnership', args: [newOwner] })
  for (const contract of contracts) {
    const owner = await read(contract.address, 'owner')
    if (owner === undefined || !isAddressEqual(owner, deployer.address) || isAddressEqual(owner, newOwner)) continue
    await deployer.send(contract.address, data)
    const waiting = await read(contract.address, 'pendingOwner')
    if (waiting !== undefined && isAddressEqual(waiting, newOwner)) pending.push(contract)
  }
  return pending
}
