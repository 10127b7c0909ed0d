import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { poolAbi, routerAbi, tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { parseAbi, parseEther, parseUnits } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'
import { toReaderConfig } from '../harness/toReaderConfig.ts'
import { writeContract } from '../harness/writeContract.ts'

const factoryAbi = parseAbi(['function addPool(address pool)'])

/**
 * Deploys a token with the permits of USDC, whose price is one dollar, and a pool of it and tUSD, and adds the pool to the
 * router and to the deployment file.
 *
 * @returns the chain with the token, as tGBP
 */
export async function deployBytesPool(chain: LocalChain, deploymentsDir: string): Promise<LocalChain> {
  const owner = connectOwner(chain)
  const { router } = chain.deployment
  const base = await owner.deploy('testing/BytesPermitToken', ['Test Pound', 'tGBP', 6, owner.address])
  const oracle = await owner.deploy('testing/TestOracle', ['GBP / USD', 100_000_000n, owner.address])
  const baseReader = await owner.deploy('RateReader', [toReaderConfig(base, oracle)])
  const quote = chain.tokens['tUSD']
  const quoteReader = await owner.client.readContract({
    address: chain.pools['tAUD/tUSD'],
    abi: poolAbi,
    functionName: 'assimilator',
    args: [quote],
  })
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const config = { name: 'tGBP/tUSD', symbol: 'LP', base, quote, baseReader, quoteReader, ...parameters }
  const pool = await owner.deploy('Pool', [config])
  for (const address of [base, quote]) {
    const args = [pool, parseUnits('500000', 6)] as const
    await writeContract(owner.client, { address, abi: tokenAbi, functionName: 'mint', args })
  }
  const factory = await owner.client.readContract({ address: router, abi: routerAbi, functionName: 'factory' })
  await writeContract(owner.client, { address: factory, abi: factoryAbi, functionName: 'addPool', args: [pool] })
  const path = join(deploymentsDir, `${chain.chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as LocalChain['deployment']
  await writeFile(path, JSON.stringify({ ...deployment, pools: [...deployment.pools, pool] }))
  return { ...chain, tokens: { ...chain.tokens, tGBP: base } }
}
