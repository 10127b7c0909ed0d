import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseEther } from 'viem'
import { addPool } from '../chains/addPool.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { writeContract } from '../harness/writeContract.ts'

/** Deploys two tokens of six decimals that no other pool holds, with a pool of the family, and adds it to the deployment file. */
export async function deployFamilyPool(chain: LocalChain, deploymentsDir: string) {
  const owner = connectOwner(chain)
  const [base, quote] = [await deployPriced('fNZD'), await deployPriced('fUSD')]
  const curve = await owner.deploy('testing/FamilyCurve', [])
  const pool = await createFamilyPool(owner, { sides: [base, quote], curve })
  await addPool(chain, deploymentsDir, pool)
  return { base: base.token, quote: quote.token, pool }

  async function deployPriced(symbol: string) {
    const token = await owner.deploy('testing/TestToken', [symbol, symbol, 6, owner.address])
    return { token, oracle: await owner.deploy('testing/TestOracle', [symbol, 100_000_000n, owner.address]) }
  }
}

/** Deploys a pool of the family with the parameters that it deploys with, and a million of each of its tokens of six decimals. */
export async function createFamilyPool(owner: Owner, { sides, curve }: createFamilyPool.Parts): Promise<Address> {
  const [alpha, beta, feeAtHalt] = [parseEther('0.5'), parseEther('0.35'), parseEther('0.15')]
  const parameters = { alpha, beta, feeAtHalt, epsilon: parseEther('0.0005'), lambda: parseEther('0.3'), drift: 0n }
  const assimilators: Address[] = []
  for (const { oracle, token } of sides) {
    assimilators.push(await owner.deploy('testing/ForeignAssimilator', [oracle, token]))
  }
  const config = { name: 'Family', assets: sides.map(({ token }) => token), assimilators, ...parameters }
  const pool = await owner.deploy('testing/FamilyPool', [config, curve])
  for (const { token } of sides) {
    const mint = { address: token, abi: tokenAbi, functionName: 'mint', args: [pool, 10n ** 12n] } as const
    await writeContract(owner.client, mint)
  }
  return pool
}

export declare namespace createFamilyPool {
  type Side = { readonly token: Address; readonly oracle: Address }
  type Parts = {
    readonly sides: readonly [base: Side, quote: Side]
    /** A FamilyCurve, which any number of pools call. */
    readonly curve: Address
  }
}
