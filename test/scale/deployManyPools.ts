import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseUnits } from 'viem'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createFamilyPool } from '../codes/deployFamilyPool.ts'
import { toReaderConfig } from '../harness/toReaderConfig.ts'
import { writeContract } from '../harness/writeContract.ts'

/** A pool to preview, and its two tokens of six decimals. */
export type MarketPool = { readonly address: Address; readonly tokens: readonly [Address, Address] }

/**
 * Adds pools to a local chain, each with a new token against the dollar.
 *
 * @param count the resulting number of pools, including the two of the chain
 */
export async function deployManyPools(chain: LocalChain, count: number): Promise<readonly MarketPool[]> {
  const owner = connectOwner(chain)
  const dollar = chain.tokens.tUSD
  const quoteReader = await owner.deploy('RateReader', [toReaderConfig(dollar)])
  const pools = [...listOwnPools(chain)]
  while (pools.length < count) {
    const name = `Token ${pools.length}`
    const base = await owner.deploy('testing/TestToken', [name, `T${pools.length}`, 6, owner.address])
    const baseReader = await owner.deploy('RateReader', [toReaderConfig(base, chain.oracles.tAUD)])
    const terms = { alpha: 5n * 10n ** 17n, epsilon: 5n * 10n ** 14n, owner: owner.address }
    const config = { name, symbol: name, base, quote: dollar, baseReader, quoteReader, ...terms }
    const address = await owner.deploy('Pool', [config])
    await fill(owner, address, [base, dollar])
    pools.push({ address, tokens: [base, dollar] })
  }
  return pools
}

/** The two pools of every local chain. */
export function listOwnPools({ pools, tokens }: LocalChain): readonly MarketPool[] {
  return [
    { address: pools['tAUD/tUSD'], tokens: [tokens.tAUD, tokens.tUSD] },
    { address: pools['tEUR/tUSD'], tokens: [tokens.tEUR, tokens.tUSD] },
  ]
}

/** Deploys a pool of the DFX v2 / Stabull v1 family for each of the two foreign tokens of a local chain, with an oracle of the dollar. */
export async function deployFamilyPools({ tokens, oracles, ...chain }: LocalChain): Promise<readonly MarketPool[]> {
  const owner = connectOwner(chain)
  const dollar = {
    token: tokens.tUSD,
    oracle: await owner.deploy('testing/TestOracle', ['USD', 99_870_000n, owner.address]),
  }
  const curve = await owner.deploy('testing/FamilyCurve', [])
  const pools: MarketPool[] = []
  for (const symbol of ['tAUD', 'tEUR'] as const) {
    const base = { token: tokens[symbol], oracle: oracles[symbol] }
    const address = await createFamilyPool(owner, { sides: [base, dollar], curve })
    pools.push({ address, tokens: [base.token, dollar.token] })
  }
  return pools
}

async function fill(owner: Owner, pool: Address, tokens: MarketPool['tokens']): Promise<void> {
  for (const token of tokens) {
    const args = [pool, parseUnits('1000000', 6)] as const
    await writeContract(owner.client, { address: token, abi: tokenAbi, functionName: 'mint', args })
  }
}
