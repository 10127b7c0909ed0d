import type { Address } from '@agio/core'
import { encodeFunctionData, zeroAddress } from 'viem'
import { maxStep, oracleAbi } from '../price/keeper.ts'
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

// Feeds of dollar tokens usually update once a day while the price does not move.
const referenceMaxAgeSeconds = 90_000n

// An answer above five times the first price, or below a fifth of it, is a wrong round rather than a price.
const plausibleFactor = 5n

// Two percent around a dollar, with 8 decimals.
const referenceBand = { minAnswer: 98_000_000n, maxAnswer: 102_000_000n }

// As Chainlink recommends for its uptime feeds.
const gracePeriodSeconds = 3600n

/**
 * Deploys a token, its oracle if it has a feed, and the contract from which pools read its price.
 *
 * @param feeds the optional feeds of the network. The sequencer is checked for tokens with an oracle: each pool has one
 */
export async function deployAsset(
  deployer: Deployer,
  { name, symbol, contract, feed }: Asset,
  feeds: NetworkFeeds,
): Promise<DeployedAsset> {
  const token = await deployer.deploy(contract, [name, symbol, decimals, deployer.address])
  const oracle = feed
    ? await deployer.deploy('TestOracle', [feed.description, feed.firstPrice, deployer.address])
    : zeroAddress
  const asset = await deployReader(deployer, { symbol, token, oracle, firstPrice: feed?.firstPrice ?? 0n }, feeds)
  return { ...asset, schedule: feed?.schedule }
}

/**
 * Deploys the contract from which pools read the price of a token.
 *
 * @param priced the token with its oracle, zero for the reference token, and its first price with 8 decimals
 */
export async function deployReader(
  deployer: Deployer,
  priced: PricedToken,
  feeds: NetworkFeeds,
): Promise<DeployedAsset> {
  const { symbol, token, oracle, firstPrice } = priced
  const isReference = oracle === zeroAddress
  const config = {
    token,
    oracle,
    referenceFeed: isReference ? (feeds.referenceFeed ?? zeroAddress) : zeroAddress,
    maxAge: isReference ? referenceMaxAgeSeconds : maxAgeSeconds,
    ...(isReference ? referenceBand : toBounds(firstPrice)),
    maxStep: isReference ? 0n : maxStep,
    sequencerFeed: isReference ? zeroAddress : (feeds.sequencerFeed ?? zeroAddress),
    gracePeriod: gracePeriodSeconds,
  }
  const reader = await deployer.deploy('RateReader', [config])
  return { symbol, token, reader, oracle, schedule: undefined }
}

type PricedToken = Pick<DeployedAsset, 'symbol' | 'token' | 'oracle'> & { readonly firstPrice: bigint }

function toBounds(firstPrice: bigint) {
  return { minAnswer: firstPrice / plausibleFactor, maxAnswer: firstPrice * plausibleFactor }
}

/** The feeds of a network that show whether its prices count. Without a feed, its check is off. */
export type NetworkFeeds = {
  /** The uptime feed of the sequencer. */
  readonly sequencerFeed?: Address | undefined
  /** The feed of the reference token against the dollar, with 8 decimals. */
  readonly referenceFeed?: Address | undefined
}

// An uptime feed answers 0 while the sequencer is up. It has been up since the first second, so no grace period runs.
const up = [0n, 1n] as const
/** A dollar with the 8 decimals of prices. */
export const oneDollar = 100_000_000n

/**
 * Deploys the feeds that public networks have: the uptime of the sequencer and the price of the reference token.
 *
 * @param deployer owns the feeds
 */
export async function deployNetworkFeeds(deployer: Deployer): Promise<Required<NetworkFeeds>> {
  const sequencerFeed = await deployer.deploy('TestOracle', ['Sequencer uptime', 0n, deployer.address])
  const data = encodeFunctionData({ abi: oracleAbi, functionName: 'setRound', args: up })
  await deployer.send(sequencerFeed, data)
  const referenceFeed = await deployer.deploy('TestOracle', ['USD / USD', oneDollar, deployer.address])
  return { sequencerFeed, referenceFeed }
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
