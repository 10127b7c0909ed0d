import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '@agio/chain'
import type { Address } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { parseAbi } from 'viem'
import { connectOwner } from './connectOwner.ts'
import { deployTwinPool } from './deployTwinPool.ts'
import { writeContract } from './writeContract.ts'

const abi = parseAbi(['function addPool(address pool)', 'function setSkewBps(int256 newSkewBps)'])

/** How much more than the oracle price each pool pays, in basis points; negative for less. */
export type Skews = Readonly<Record<'tAUD/tUSD' | 'tEUR/tUSD', bigint>>

/**
 * Replaces the pools of the first chain by pools that deviate from their oracles, also in the deployment file: the same
 * tokens and readers, half a million of each token, and their own router.
 */
export async function deploySkewedPools({ chains, deploymentsDir }: Localnet, skews: Skews): Promise<Deployment> {
  const chain = chains[84532]
  const owner = connectOwner(chain)
  const factory = await owner.deploy('Factory', [owner.address])
  const router = await owner.deploy('Router', [factory])
  const pools: Address[] = []
  for (const [name, skewBps] of Object.entries(skews)) {
    const pool = await deployTwinPool(owner, chain, { name, contract: 'testing/SkewedPool' })
    await writeContract(owner.client, { address: pool, abi, functionName: 'setSkewBps', args: [skewBps] })
    await writeContract(owner.client, { address: factory, abi, functionName: 'addPool', args: [pool] })
    pools.push(pool)
  }
  const deployment = { ...chain.deployment, router, pools }
  await writeFile(join(deploymentsDir, '84532.json'), JSON.stringify(deployment))
  return deployment
}
