import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseEther } from 'viem'
import { addPool } from './addPool.ts'
import { connectOwner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'

/** Deploys two tokens of six decimals that no other pool holds, with a pool of the family of a million of each, and adds it to the deployment file. */
export async function deployFamilyPool(chain: LocalChain, deploymentsDir: string): Promise<FamilyPool> {
  const owner = connectOwner(chain)
  const [base, quote] = [await deployPriced('fNZD'), await deployPriced('fUSD')]
  const [alpha, beta, feeAtHalt] = [parseEther('0.5'), parseEther('0.35'), parseEther('0.15')]
  const parameters = { alpha, beta, feeAtHalt, epsilon: parseEther('0.0005'), lambda: parseEther('0.3'), drift: 0n }
  const sides = { assets: [base.token, quote.token], assimilators: [base.assimilator, quote.assimilator] }
  const curve = await owner.deploy('testing/FamilyCurve', [])
  const pool = await owner.deploy('testing/FamilyPool', [{ name: 'fNZD/fUSD', ...sides, ...parameters }, curve])
  for (const { token } of [base, quote]) {
    const mint = { address: token, abi: tokenAbi, functionName: 'mint', args: [pool, 10n ** 12n] } as const
    await writeContract(owner.client, mint)
  }
  await addPool(chain, deploymentsDir, pool)
  return { base: base.token, quote: quote.token, pool }

  async function deployPriced(symbol: string) {
    const token = await owner.deploy('testing/TestToken', [symbol, symbol, 6, owner.address])
    const oracle = await owner.deploy('testing/TestOracle', [symbol, 100_000_000n, owner.address])
    return { token, assimilator: await owner.deploy('testing/ForeignAssimilator', [oracle, token]) }
  }
}

export type FamilyPool = { readonly base: Address; readonly quote: Address; readonly pool: Address }
