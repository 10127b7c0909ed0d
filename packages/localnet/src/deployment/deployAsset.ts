import type { Address } from '@agio/core'
import { zeroAddress } from 'viem'
import type { Asset } from './assets.ts'
import type { Deployer } from './createDeployer.ts'

const decimals = 6
const maxAgeSeconds = 3600n

/** Deploys a token, its oracle if it has a price of its own, and the reader by which pools ask for it. */
export async function deployAsset(deployer: Deployer, { name, symbol, feed }: Asset): Promise<DeployedAsset> {
  const token = await deployer.deploy('TestToken', [name, symbol, decimals, deployer.address])
  const oracle = feed
    ? await deployer.deploy('TestOracle', [feed.description, feed.firstPrice, deployer.address])
    : zeroAddress
  const reader = await deployer.deploy('RateReader', [token, oracle, maxAgeSeconds])
  return { symbol, token, reader }
}

export type DeployedAsset = { readonly symbol: string; readonly token: Address; readonly reader: Address }
