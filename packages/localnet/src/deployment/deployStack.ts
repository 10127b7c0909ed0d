import { tokenAbi } from '@agio/chain/abi'
import type { Deployment } from '@agio/chain'
import { Network, type Address } from '@agio/core'
import type { HardhatViemHelpers } from '@nomicfoundation/hardhat-viem/types'
import { encodeFunctionData, parseAbi, parseEther, parseUnits } from 'viem'
import { createDeployer, type Deployer } from './createDeployer.ts'
import { deployAsset, foreignAssets, referenceAsset, type DeployedAsset } from './deployAsset.ts'
import { deployPool, seedPool } from './deployPool.ts'

const factoryAbi = parseAbi(['function addPool(address pool)'])

/**
 * Deploys tokens, oracles, pools, router and faucet to any network, and funds pools and faucet.
 *
 * @param viem Hardhat's connection to the network. Its first account deploys, pays and owns everything
 * @throws `Error` if the service does not support the chain
 */
export async function deployStack(viem: HardhatViemHelpers, options: deployStack.Options = {}): Promise<Deployment> {
  const { dollarsPerSide = 1_000_000, onProgress = () => {} } = options
  const deployer = await createDeployer(viem)
  const chainId = await deployer.client.getChainId()
  if (!Network.isChainId(chainId)) throw new Error(`Cannot deploy to chain ${chainId}: the service does not support it`)
  onProgress(`Deploying to chain ${chainId}: tokens, oracles, router, faucet`)
  const quote = await deployAsset(deployer, referenceAsset)
  const bases: DeployedAsset[] = []
  for (const asset of foreignAssets) bases.push(await deployAsset(deployer, asset))
  const factory = await deployer.deploy('Factory', [deployer.address])
  const router = await deployer.deploy('Router', [factory])
  const tokens = [quote, ...bases].map(({ token }) => token)
  const faucet = await deployFaucet(deployer, tokens)
  const pools: Address[] = []
  for (const base of bases) {
    onProgress(`Deploying to chain ${chainId}: pool ${base.symbol}/${quote.symbol}`)
    const pool = await deployPool(deployer, base, quote)
    await deployer.send(factory, encodeFunctionData({ abi: factoryAbi, functionName: 'addPool', args: [pool] }))
    await seedPool(deployer, pool, parseEther(`${2 * dollarsPerSide}`))
    pools.push(pool)
  }
  return { chainId, router, faucet, pools, referenceToken: quote.token, feeds: toFeeds(bases) }
}

export declare namespace deployStack {
  type Options = {
    /** The initial value of each side of each pool. Default: 1,000,000. */
    readonly dollarsPerSide?: number | undefined
    readonly onProgress?: ((message: string) => void) | undefined
  }
}

/** The market hours of the tokens that have market hours. */
function toFeeds(assets: readonly DeployedAsset[]): Deployment['feeds'] {
  return Object.fromEntries(assets.flatMap(({ oracle, schedule }) => (schedule ? [[oracle, { schedule }]] : [])))
}

const claimRaw = parseUnits('1000', 6)
const faucetSupplyRaw = parseUnits('10000000', 6)
const cooldownSeconds = 86_400n

/** Deploys the faucet, with tokens for ten thousand claims. */
async function deployFaucet(deployer: Deployer, tokens: readonly Address[]): Promise<Address> {
  const args = [tokens, tokens.map(() => claimRaw), cooldownSeconds, deployer.address]
  const faucet = await deployer.deploy('Faucet', args)
  const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [faucet, faucetSupplyRaw] })
  for (const token of tokens) await deployer.send(token, mint)
  return faucet
}
