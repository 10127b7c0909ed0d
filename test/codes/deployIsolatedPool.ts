import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseEther } from 'viem'
import { addPool } from '../chains/addPool.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { toReaderConfig } from '../harness/toReaderConfig.ts'
import { writeContract } from '../harness/writeContract.ts'
import { deployCircleToken } from '../tokens/deployCircleMarket.ts'

/**
 * Deploys two tokens like Circle's that no other pool holds, with a pool that holds a million of each, and adds the pool to the
 * deployment file.
 */
export async function deployIsolatedPool(chain: LocalChain, deploymentsDir: string) {
  const owner = connectOwner(chain)
  const [base, baseReader] = await deployPriced('tNZD')
  const [quote, quoteReader] = await deployPriced('tSGD')
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const config = { name: 'tNZD/tSGD', symbol: 'LP', base, quote, baseReader, quoteReader, ...parameters }
  const pool = await owner.deploy('Pool', [config])
  for (const token of [base, quote]) {
    const mint = { abi: tokenAbi, functionName: 'mint', args: [pool, 10n ** 12n] } as const
    await writeContract(owner.client, { address: token, ...mint })
  }
  await addPool(chain, deploymentsDir, pool)
  return { base, quote, pool }

  async function deployPriced(symbol: string): Promise<readonly [token: Address, reader: Address]> {
    const token = await deployCircleToken(owner, symbol)
    const oracle = await owner.deploy('testing/TestOracle', [symbol, 100_000_000n, owner.address])
    return [token, await owner.deploy('RateReader', [toReaderConfig(token, oracle)])]
  }
}
