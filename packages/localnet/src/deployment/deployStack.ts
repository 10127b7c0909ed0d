import { tokenAbi } from '@agio/chain/abi'
import type { Deployment } from '@agio/chain'
import { Network, type Address } from '@agio/core'
import { encodeFunctionData, parseEther, parseUnits, zeroAddress } from 'viem'
import type { Deployer } from './createDeployer.ts'
import { deployAsset, foreignAssets, referenceAsset, type DeployedAsset, type NetworkFeeds } from './deployAsset.ts'
import { deployPool, seedPool } from './deployPool.ts'
import { assertDeployable, deployRouter, planRouter } from './deployRouter.ts'
import { registryAbi } from './listRegistered.ts'
import { readCodeHashes } from './readCodeHashes.ts'

/**
 * Deploys tokens, oracles, pools, router and faucet to any network, and funds pools and faucet.
 *
 * @param deployer the account that deploys, pays and owns everything
 * @throws `Error` if the service does not support the chain, and the errors of `assertDeployable`
 */
export async function deployStack(deployer: Deployer, options: Options = {}): Promise<DeployedStack> {
  const { dollarsPerSide = 1_000_000, onProgress = () => {} } = options
  const chainId = await deployer.client.getChainId()
  if (!Network.isChainId(chainId)) throw new Error(`Cannot deploy to chain ${chainId}: the service does not support it`)
  const plan = planRouter(deployer.address)
  await assertDeployable(deployer, plan)
  onProgress(`Deploying to chain ${chainId}: tokens, oracles, router, faucet`)
  const quote = await deployAsset(deployer, referenceAsset, options)
  const bases: DeployedAsset[] = []
  for (const asset of foreignAssets) bases.push(await deployAsset(deployer, asset, options))
  const { factory, router } = await deployRouter(deployer, plan)
  const assets = [quote, ...bases]
  const faucet = await deployFaucet(
    deployer,
    assets.map(({ token }) => token),
  )
  const pools: DeployedContract[] = []
  for (const base of bases) {
    const name = `pool ${base.symbol}/${quote.symbol}`
    onProgress(`Deploying to chain ${chainId}: ${name}`)
    const address = await deployPool(deployer, base, quote)
    await deployer.send(factory, encodeFunctionData({ abi: registryAbi, functionName: 'addPool', args: [address] }))
    await seedPool(deployer, address, parseEther(`${2 * dollarsPerSide}`))
    pools.push({ name, address })
  }
  const poolAddresses = pools.map(({ address }) => address)
  const readers = assets.map(({ reader }) => reader)
  const codeHashes = await readCodeHashes(deployer.client, [factory, router, faucet, ...poolAddresses, ...readers])
  const addresses = { router, factory, faucet, pools: poolAddresses, referenceToken: quote.token }
  return {
    deployment: { chainId, ...addresses, feeds: toFeeds(bases), codeHashes },
    contracts: [
      { name: 'factory', address: factory },
      { name: 'faucet', address: faucet },
      ...pools,
      ...toContracts(assets),
    ],
  }
}

type Options = NetworkFeeds & {
  /** The initial value of each side of each pool. Default: 1,000,000. */
  readonly dollarsPerSide?: number | undefined
  readonly onProgress?: ((message: string) => void) | undefined
}

type DeployedStack = {
  readonly deployment: Deployment
  /** The contracts that may have an owner. */
  readonly contracts: readonly DeployedContract[]
}

/** A deployed contract with a name for the operator, such as `pool tAUD/tUSD`. */
export type DeployedContract = { readonly name: string; readonly address: Address }

function toContracts(assets: readonly DeployedAsset[]): readonly DeployedContract[] {
  return assets.flatMap(({ symbol, token, oracle }) => [
    { name: `token ${symbol}`, address: token },
    ...(oracle === zeroAddress ? [] : [{ name: `oracle of ${symbol}`, address: oracle }]),
  ])
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
