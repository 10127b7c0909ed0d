import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '@agio/chain'
import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { maxUint256, parseAbi, parseEther } from 'viem'
import { connectOwner, type Owner } from './connectOwner.ts'
import { writeContract } from './writeContract.ts'

const factoryAbi = parseAbi(['function addPool(address pool)'])

/** Dollars with 8 decimals; the reference token has an oracle like any other. */
export const foreignPrices = { fUSD: 99_870_000n, fEUR: 108_450_000n, fAUD: 65_120_000n, fSGD: 74_210_000n } as const

/** The decimals of each token. */
export const foreignDecimals = { fUSD: 6, fEUR: 2, fAUD: 18, fSGD: 6 } as const

export type ForeignToken = keyof typeof foreignDecimals
export type ForeignPair = 'fEUR/fUSD' | 'fAUD/fUSD' | 'fSGD/fUSD'

// The last one has the same parameters as our pools, and differs only in its rounding.
const curves = {
  'fEUR/fUSD': { value: '2000000', beta: '0.35', feeAtHalt: '0.15', epsilon: '0.0005', lambda: '0.3', drift: 1n },
  'fAUD/fUSD': { value: '500000', beta: '0.35', feeAtHalt: '0.15', epsilon: '0.0015', lambda: '0.3', drift: 2n },
  'fSGD/fUSD': { value: '2000000', beta: '0', feeAtHalt: '0', epsilon: '0.0005', lambda: '0', drift: 0n },
} as const

/** The contracts deployed in place of the pools of the first chain, by symbol. */
export type ForeignMarket = {
  readonly chain: LocalChain
  readonly deployment: Deployment
  readonly tokens: Readonly<Record<ForeignToken, Address>>
  readonly oracles: Readonly<Record<ForeignToken, Address>>
  readonly pools: Readonly<Record<ForeignPair, Address>>
}

/** Our router or one of the family, and pools of a variant of the family, which are priced on chain, or of the family itself. */
export type ForeignContracts = {
  readonly router?: 'Router' | 'testing/FamilyRouter'
  readonly pool?: 'testing/ForeignPool' | 'testing/FamilyPool'
}

/**
 * Replaces the pools of the first chain by foreign pools, also in the deployment file: tokens of 2, 6 and 18 decimals, an oracle for
 * each, a router, and neither faucet nor reader.
 */
export async function deployForeignPools(
  { chains, deploymentsDir }: Localnet,
  { router: routerContract = 'Router', pool = 'testing/ForeignPool' }: ForeignContracts = {},
): Promise<ForeignMarket> {
  const chain = chains[84532]
  const owner = connectOwner(chain)
  const [tokens, oracles, assimilators] = [{}, {}, {}] as Record<ForeignToken, Address>[] as Sides
  for (const symbol of Object.keys(foreignPrices) as ForeignToken[]) {
    tokens[symbol] = await owner.deploy('testing/TestToken', [symbol, symbol, foreignDecimals[symbol], owner.address])
    oracles[symbol] = await owner.deploy('testing/TestOracle', [symbol, foreignPrices[symbol], owner.address])
    assimilators[symbol] = await owner.deploy('testing/ForeignAssimilator', [oracles[symbol], tokens[symbol]])
  }
  const factory = await owner.deploy('Factory', [owner.address])
  const router = await owner.deploy(routerContract, [factory])
  const family = pool === 'testing/FamilyPool' ? [await owner.deploy('testing/FamilyCurve', [])] : []
  const pools = {} as Record<ForeignPair, Address>
  for (const pair of Object.keys(curves) as ForeignPair[]) {
    const deployPool = (config: object) => owner.deploy(pool, [config, ...family])
    pools[pair] = await createPool(owner, pair, { deployPool, tokens, assimilators })
    const args = [pools[pair]] as const
    await writeContract(owner.client, { address: factory, abi: factoryAbi, functionName: 'addPool', args })
  }
  const deployment = { chainId: chain.chainId, router, pools: Object.values(pools), referenceToken: tokens.fUSD }
  await writeFile(join(deploymentsDir, '84532.json'), JSON.stringify(deployment))
  return { chain, deployment, tokens, oracles, pools }
}

type Sides = [Record<ForeignToken, Address>, Record<ForeignToken, Address>, Record<ForeignToken, Address>]

type Parts = {
  readonly deployPool: (config: object) => Promise<Address>
  readonly tokens: Record<ForeignToken, Address>
  readonly assimilators: Record<ForeignToken, Address>
}

async function createPool(
  owner: Owner,
  pair: ForeignPair,
  { deployPool, tokens, assimilators }: Parts,
): Promise<Address> {
  const [base, quote] = pair.split('/') as [ForeignToken, ForeignToken]
  const { value, drift, ...curve } = curves[pair]
  const parameters = Object.fromEntries(Object.entries(curve).map(([name, part]) => [name, parseEther(part)]))
  const sides = { assets: [tokens[base], tokens[quote]], assimilators: [assimilators[base], assimilators[quote]] }
  const config = { name: pair, ...sides, alpha: parseEther('0.5'), ...parameters, drift }
  const pool = await deployPool(config)
  const view = { address: pool, abi: poolAbi, functionName: 'viewDeposit', args: [parseEther(value)] } as const
  const [, amounts] = await owner.client.readContract(view)
  for (const [index, token] of sides.assets.entries()) {
    const amount = amounts[index] ?? 0n
    const call = { address: token, abi: tokenAbi } as const
    await writeContract(owner.client, { ...call, functionName: 'mint', args: [owner.address, amount] })
    await writeContract(owner.client, { ...call, functionName: 'approve', args: [pool, amount] })
  }
  const args = [parseEther(value), 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  await writeContract(owner.client, { address: pool, abi: poolAbi, functionName: 'deposit', args })
  return pool
}
