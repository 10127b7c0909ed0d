import type { HardhatViemHelpers } from '@nomicfoundation/hardhat-viem/types'
import { encodeFunctionData } from 'viem'
import { oracleAbi } from '../price/keeper.ts'
import { createDeployer } from './createDeployer.ts'
import type { NetworkFeeds } from './deployAsset.ts'

// An uptime feed answers 0 while the sequencer is up. It has been up since the first second, so no grace period runs.
const up = [0n, 1n] as const
const oneDollar = 100_000_000n

/**
 * Deploys the feeds that public networks have: of the uptime of the sequencer, and of the reference token. The last account
 * deploys and owns them, because they do not belong to the owner of the other contracts.
 */
export async function deployNetworkFeeds(viem: HardhatViemHelpers): Promise<Required<NetworkFeeds>> {
  const deployer = await createDeployer(viem, -1)
  const sequencerFeed = await deployer.deploy('TestOracle', ['Sequencer uptime', 0n, deployer.address])
  const data = encodeFunctionData({ abi: oracleAbi, functionName: 'setRound', args: up })
  await deployer.send(sequencerFeed, data)
  const referenceFeed = await deployer.deploy('TestOracle', ['USD / USD', oneDollar, deployer.address])
  return { sequencerFeed, referenceFeed }
}
