import { Network } from '@agio/core'
import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { assets } from '../assets/assets.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { connectLocalNode, type Provider } from '../chain/Provider.ts'
import { toCreationCode } from '../contracts/toCreationCode.ts'
import { deployByCreate2, placeDeploymentProxy, toCreate2Address, type Create2 } from './create2.ts'
import { createDeployer } from './createDeployer.ts'

const permit2Salt = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'

// viem's `multicall` and wagmi's `useReadContracts` call it.
const { multicall3 } = Network.commonContracts

/**
 * Places Multicall3 and Permit2 at the addresses that they have on all networks. Leaves an address that has code, as on
 * most forks.
 *
 * Call it after all other deployments of the first account. The first account deploys Permit2, which changes its nonce and
 * so the addresses of its later contracts.
 */
export async function placeCommonContracts(provider: Provider): Promise<void> {
  await placeMulticall3(provider)
  await placePermit2(provider)
}

async function placeMulticall3(provider: Provider): Promise<void> {
  const client = connectLocalNode(provider)
  if (await client.getCode({ address: multicall3 })) return
  // A call that creates a contract returns its code.
  const { data: bytecode } = await client.call({ data: toCreationCode('Multicall3', []) })
  await client.setCode({ address: multicall3, bytecode: bytecode ?? '0x' })
}

/** Deploys Permit2 by its own deployment transaction, so that its code has the domain separator of the chain. */
async function placePermit2(provider: Provider): Promise<void> {
  const permit2 = await readPermit2()
  const deployer = await createDeployer(provider, localAccounts[0].address)
  if (await deployer.client.getCode({ address: toCreate2Address(permit2) })) return
  await placeDeploymentProxy(provider)
  await deployByCreate2(deployer, permit2)
}

/** Reads the creation code of Permit2. */
export async function readPermit2(): Promise<Create2> {
  return { salt: permit2Salt, code: (await readFile(assets['permit2.hex'], 'utf8')).trim() as Hex }
}
