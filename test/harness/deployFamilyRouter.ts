import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '@agio/chain'
import { routerAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { connectOwner } from './connectOwner.ts'

/**
 * Deploys a router of the family over the pools of a chain, and makes it the router of the deployment file: it swaps exact
 * inputs only, and pays its caller only.
 */
export async function deployFamilyRouter(chain: LocalChain, deploymentsDir: string): Promise<Address> {
  const { client, deploy } = connectOwner(chain)
  const { router: address } = chain.deployment
  const factory = await client.readContract({ address, abi: routerAbi, functionName: 'factory' })
  const router = await deploy('testing/FamilyRouter', [factory])
  const path = join(deploymentsDir, `${chain.chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as Deployment
  await writeFile(path, JSON.stringify({ ...deployment, router }))
  return router
}
