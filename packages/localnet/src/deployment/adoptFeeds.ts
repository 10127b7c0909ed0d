import type { Address } from '@agio/core'
import { numberToHex, parseEther } from 'viem'
import type { DeployedChain } from '../chain/LocalChain.ts'
import { connectLocalNode, type LocalNodeClient, type Provider } from '../chain/Provider.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { oracleAbi } from '../price/keeper.ts'
import { createDeployer } from './createDeployer.ts'
import { undefinedIfReverted } from './undefinedIfReverted.ts'

/**
 * Makes every feed of a fork settable by the feed's owner. If the owner can set the answer, the node signs for the owner.
 * Any other feed is replaced by a local feed at the same address, with the same answer.
 *
 * @returns the chain without oracles that are not feeds
 */
export async function adoptFeeds(
  provider: Provider,
  chain: DeployedChain,
  onProgress: (message: string) => void,
): Promise<DeployedChain> {
  const scope = { provider, client: connectLocalNode(provider), chain, onProgress }
  const adopt = (name: string, address: Address) => adoptFeed(scope, { name, address })
  const oracles: [string, Address][] = []
  for (const [symbol, address] of Object.entries(chain.oracles)) {
    if (await adopt(symbol, address)) oracles.push([symbol, address])
  }
  const { sequencerFeed, referenceFeed } = chain
  const hasReference = referenceFeed !== undefined && (await adopt('the reference token', referenceFeed))
  const hasSequencer = sequencerFeed !== undefined && (await adopt('the sequencer', sequencerFeed))
  return {
    ...chain,
    oracles: Object.fromEntries(oracles) as DeployedChain['oracles'],
    referenceFeed: hasReference ? referenceFeed : undefined,
    sequencerFeed: hasSequencer ? sequencerFeed : undefined,
  }
}

type Scope = {
  readonly provider: Provider
  readonly client: LocalNodeClient
  readonly chain: DeployedChain
  readonly onProgress: (message: string) => void
}

/** @returns false for a contract that is not a feed */
async function adoptFeed(
  { provider, client, chain, onProgress }: Scope,
  { name, address }: NamedFeed,
): Promise<boolean> {
  const round = await undefinedIfReverted(
    client.readContract({ address, abi: oracleAbi, functionName: 'latestRoundData' }),
  )
  if (!round) {
    onProgress(`Leaving out oracle ${address} of ${name} on chain ${chain.chainId}: it is not a feed`)
    return false
  }
  const [, answer, startedAtSeconds] = round
  if (await adoptOwner(client, address, answer)) return true
  onProgress(
    `Replacing feed ${address} of ${name} on the fork of chain ${chain.chainId}: its owner cannot set the price`,
  )
  await replaceFeed(provider, client, { name, address, answer, startedAtSeconds })
  return true
}

type NamedFeed = { readonly name: string; readonly address: Address }

/** Makes the node sign for the owner of a feed, and funds it for gas. @returns whether the owner can set the price */
async function adoptOwner(client: LocalNodeClient, address: Address, answer: bigint): Promise<boolean> {
  const feed = { address, abi: oracleAbi } as const
  const owner = await undefinedIfReverted(client.readContract({ ...feed, functionName: 'owner' }))
  if (!owner) return false
  const write = { ...feed, functionName: 'setRound', args: [answer, 1n], account: owner } as const
  if (!(await undefinedIfReverted(client.simulateContract(write)))) return false
  await client.impersonateAccount({ address: owner })
  await client.setBalance({ address: owner, value: parseEther('10000') })
  return true
}

// Storage slots of TestOracle: its owners, description and round.
const slots = [0, 1, 2, 3, 4, 5].map((slot) => numberToHex(slot, { size: 32 }))
const timeSlot = numberToHex(5, { size: 32 })

type Feed = NamedFeed & { readonly answer: bigint; readonly startedAtSeconds: bigint }

/** Places the code and the storage of a local feed with the given round at the address of another feed. */
async function replaceFeed(provider: Provider, client: LocalNodeClient, feed: Feed): Promise<void> {
  const { name, address, answer, startedAtSeconds } = feed
  const deployer = await createDeployer(provider, localAccounts[0].address)
  const model = await deployer.deploy('TestOracle', [name.slice(0, 31), answer, deployer.address])
  const bytecode = (await client.getCode({ address: model })) ?? '0x'
  for (const slot of slots) {
    const value = (await client.getStorageAt({ address: model, slot })) ?? '0x'
    await client.setStorageAt({ address, index: slot, value })
  }
  // The grace period of a sequencer counts from the start of the round. Prices get a new round after the adoption.
  const value = numberToHex(startedAtSeconds, { size: 32 })
  await client.setStorageAt({ address, index: timeSlot, value })
  await client.setCode({ address, bytecode })
}
