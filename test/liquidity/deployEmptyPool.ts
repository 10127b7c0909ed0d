import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { poolAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseEther } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'

/** Deploys a second tAUD/tUSD pool without liquidity, and adds it to the deployment file. */
export async function deployEmptyPool(chain: LocalChain, deploymentsDir: string): Promise<Address> {
  const [owner, { tAUD: base, tUSD: quote }] = [connectOwner(chain), chain.tokens]
  const readerOf = (token: Address) => {
    const pool = { address: chain.pools['tAUD/tUSD'], abi: poolAbi } as const
    return owner.client.readContract({ ...pool, functionName: 'assimilator', args: [token] })
  }
  const [baseReader, quoteReader] = await Promise.all([readerOf(base), readerOf(quote)])
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const pool = await owner.deploy('Pool', [
    { name: 'Empty', symbol: 'LP0', base, quote, baseReader, quoteReader, ...parameters },
  ])
  const path = join(deploymentsDir, `${chain.chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as LocalChain['deployment']
  await writeFile(path, JSON.stringify({ ...deployment, pools: [...deployment.pools, pool] }))
  return pool
}
