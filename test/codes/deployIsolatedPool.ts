import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseEther } from 'viem'
import { addPool } from '../chains/addPool.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { toReaderConfig } from '../harness/toReaderConfig.ts'

/** Deploys two tokens that no other pool holds, with a pool, and adds it to the deployment file. */
export async function deployIsolatedPool(chain: LocalChain, deploymentsDir: string): Promise<IsolatedPool> {
  const owner = connectOwner(chain)
  const [base, baseReader] = await deployPriced('tNZD')
  const [quote, quoteReader] = await deployPriced('tSGD')
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const config = { name: 'tNZD/tSGD', symbol: 'LP', base, quote, baseReader, quoteReader, ...parameters }
  const pool = await owner.deploy('Pool', [config])
  await addPool(chain, deploymentsDir, pool)
  return { base, quote, pool }

  async function deployPriced(symbol: string): Promise<readonly [token: Address, reader: Address]> {
    const token = await owner.deploy('testing/TestToken', [symbol, symbol, 6, owner.address])
    const oracle = await owner.deploy('testing/TestOracle', [symbol, 100_000_000n, owner.address])
    return [token, await owner.deploy('RateReader', [toReaderConfig(token, oracle)])]
  }
}

export type IsolatedPool = { readonly base: Address; readonly quote: Address; readonly pool: Address }
