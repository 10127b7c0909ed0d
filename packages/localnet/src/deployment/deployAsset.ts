import type { Address } from '@agio/core'
import { zeroAddress } from 'viem'
import type { Deployer } from './createDeployer.ts'

/** The dollar token, in which pools price other tokens. It has no oracle: its price is 1 by definition. */
export const referenceAsset = {
  symbol: 'tUSD',
  name: 'Test US Dollar',
  contract: 'PlainToken',
} as const satisfies Asset

/** The tokens that have a pool with the reference token. Initial prices are dollars with 8 decimals. */
export const foreignAssets = [
  {
    symbol: 'tAUD',
    name: 'Test Australian Dollar',
    contract: 'TestToken',
    feed: { description: 'AUD / USD', firstPrice: 65_120_000n },
  },
  {
    symbol: 'tEUR',
    name: 'Test Euro',
    contract: 'ResetToken',
    // The market of the local euro is open every day. The scenario market-closed closes it.
    feed: { description: 'EUR / USD', firstPrice: 108_450_000n, schedule: 'America/New_York;O,O,O,O,O,O,O' },
  },
] as const satisfies readonly Asset[]

type Asset = {
  readonly symbol: string
  readonly name: string
  /**
   * TestToken accepts approvals and permits, PlainToken only approvals. ResetToken, like USDT, accepts another allowance
   * only after a reset to zero.
   */
  readonly contract: 'TestToken' | 'PlainToken' | 'ResetToken'
  readonly feed?: { readonly description: string; readonly firstPrice: bigint; readonly schedule?: string }
}

const decimals = 6
const maxAgeSeconds = 3600n

/** Deploys a token, its oracle if it has a feed, and the contract from which pools read its price. */
export async function deployAsset(deployer: Deployer, { name, symbol, contract, feed }: Asset): Promise<DeployedAsset> {
  const token = await deployer.deploy(contract, [name, symbol, decimals, deployer.address])
  const oracle = feed
    ? await deployer.deploy('TestOracle', [feed.description, feed.firstPrice, deployer.address])
    : zeroAddress
  const reader = await deployer.deploy('RateReader', [token, oracle, maxAgeSeconds])
  return { symbol, token, reader, oracle, schedule: feed?.schedule }
}

/** A deployed token with its oracle and rate reader. */
export type DeployedAsset = {
  readonly symbol: string
  readonly token: Address
  readonly reader: Address
  /** Zero for the dollar, which has no oracle. */
  readonly oracle: Address
  /** The hours of its market, if it closes. */
  readonly schedule: string | undefined
}
