import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '@agio/chain'
import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { parseAbi, parseEther, parseUnits } from 'viem'
import { connectOwner, type Owner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'

const abi = parseAbi(['function addPool(address pool)', 'function setSkewBps(int256 newSkewBps)'])

/** How much more than the oracle price each pool pays, in basis points; negative for less. */
export type Skews = Readonly<Record<'tAUD/tUSD' | 'tEUR/tUSD', bigint>>

/**
 * Replaces the pools of the first chain by pools that deviate from their oracles, also in the deployment file: the same
 * tokens and readers, half a million of each token, and a router of their own.
 */
export async function deploySkewedPools({ chains, deploymentsDir }: Localnet, skews: Skews): Promise<Deployment> {
  const chain = chains[84532]
  const owner = connectOwner(chain)
  const factory = await owner.deploy('Factory', [owner.address])
  const router = await owner.deploy('Router', [factory])
  const pools: Address[] = []
  for (const [name, skewBps] of Object.entries(skews)) {
    const pool = await deployPool(owner, chain, name)
    await writeContract(owner.client, { address: pool, abi, functionName: 'setSkewBps', args: [skewBps] })
    await writeContract(owner.client, { address: factory, abi, functionName: 'addPool', args: [pool] })
    pools.push(pool)
  }
  const deployment = { ...chain.deployment, router, pools }
  await writeFile(join(deploymentsDir, '84532.json'), JSON.stringify(deployment))
  return deployment
}

async function deployPool(owner: Owner, { tokens, pools }: LocalChain, name: string): Promise<Address> {
  const [base, quote] = name.split('/').map((symbol) => tokens[symbol]) as [Address, Address]
  const readerOf = (token: Address) =>
    owner.client.readContract({
      address: pools[name] as Address,
      abi: poolAbi,
      functionName: 'assimilator',
      args: [token],
    })
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const [baseReader, quoteReader] = await Promise.all([readerOf(base), readerOf(quote)])
  const config = { name, symbol: name, base, quote, baseReader, quoteReader, ...parameters }
  const pool = await owner.deploy('testing/SkewedPool', [config])
  const mint = { abi: tokenAbi, functionName: 'mint', args: [pool, parseUnits('500000', 6)] } as const
  for (const address of [base, quote]) await writeContract(owner.client, { address, ...mint })
  return pool
}
