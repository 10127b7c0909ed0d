import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import type { LocalNode } from '../node/startNode.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { projectRoot } from '../project/projectRoot.ts'
import { deployByCreate2, placeDeploymentProxy, toCreate2Address, type Create2 } from './create2.ts'
import { createDeployer } from './createDeployer.ts'

const salt = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'

/**
 * Deploys Uniswap's Permit2 at the address that it has on all networks. Uses Permit2's own deployment transaction, so
 * that its code has the domain separator of this chain. Does nothing if the address has code, as on most forks.
 *
 * Call it after all other deployments of the first account. The first account sends the transaction, which changes its nonce
 * and so the addresses of its later contracts.
 */
export async function placePermit2(node: LocalNode): Promise<void> {
  const permit2 = await readPermit2()
  const deployer = await createDeployer(node.rpcUrl, localAccounts[0].address)
  if (await deployer.client.getCode({ address: toCreate2Address(permit2) })) return
  await placeDeploymentProxy(node)
  await deployByCreate2(deployer, permit2)
}

/** Reads the creation code of Permit2. The folder of the file also documents its origin. */
export async function readPermit2(): Promise<Create2> {
  const path = join(projectRoot, 'contracts/testing/permit2/creation.hex')
  return { salt, code: (await readFile(path, 'utf8')).trim() as Hex }
}
