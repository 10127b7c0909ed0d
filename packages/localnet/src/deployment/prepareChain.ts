import type { Deployment } from '@agio/chain'
import type { Network, Address } from '@agio/core'
import { BaseError, numberToHex, parseEther } from 'viem'
import type { DeployedChain } from '../chain/LocalChain.ts'
import { connectLocalNode, type LocalNodeClient, type Provider } from '../chain/Provider.ts'
import { deploymentMethods } from '../node/rememberDeployment.ts'
import { pushPricesOver, oracleAbi } from '../price/keeper.ts'
import { placeDeploymentProxy } from './create2.ts'
import { deployNetworkFeeds } from './deployAsset.ts'
import { deployStack } from './deployStack.ts'
import { placeCommonContracts } from './placeCommonContracts.ts'
import { readCodeHashes } from './readCodeHashes.ts'
import { readDeployedChain } from './readDeployedChain.ts'
import { feedOwner, localAccounts } from '../accounts/localAccounts.ts'
import { createDeployer } from './createDeployer.ts'
import { undefinedIfReverted } from './undefinedIfReverted.ts'

/**
 * Deploys the contracts to a local node, or uses the deployment that a fork already has. Then places the common contracts
 * that are missing.
 */
export async function prepareChain(
  provider: Provider,
  { forked, onProgress = () => {} }: Options = {},
): Promise<DeployedChain> {
  const chain = (forked && (await adoptFork(provider, forked, onProgress))) ?? (await deploy(provider, onProgress))
  await placeCommonContracts(provider)
  const deployment = { ...chain.deployment, local: true }
  await provider.request({ method: deploymentMethods.set, params: [deployment] })
  return { ...chain, deployment }
}

type Options = {
  /** The deployment of the chain that the node forks. It is used if its router exists. */
  readonly forked?: Deployment | undefined
  readonly onProgress?: OnProgress | undefined
}

type OnProgress = (message: string) => void

async function adoptFork(provider: Provider, forked: Deployment, onProgress: OnProgress) {
  try {
    return await adopt(provider, forked, onProgress)
  } catch (error) {
    throw toForkError(error, forked.chainId)
  }
}

/**
 * Reads a deployment from a fork, and makes its prices settable. Returns undefined if the fork has no router at
 * its address.
 */
async function adopt(
  provider: Provider,
  deployment: Deployment,
  onProgress: OnProgress,
): Promise<DeployedChain | undefined> {
  const { chainId } = deployment
  const client = connectLocalNode(provider)
  if (!(await client.getCode({ address: deployment.router }))) return undefined
  onProgress(`Using the deployment of chain ${chainId}: router ${deployment.router}`)
  const chain = await adoptFeeds(provider, await readDeployedChain(provider, deployment, onProgress), onProgress)
  await pushPricesOver(provider, chain)
  return { ...chain, deployment: await updateCodeHashes(client, chain) }
}

/** Returns the deployment with the present code hashes of its feeds, since some feeds have been replaced. */
async function updateCodeHashes(client: LocalNodeClient, { deployment, oracles }: DeployedChain): Promise<Deployment> {
  const { codeHashes } = deployment
  if (!codeHashes) return deployment
  const feeds = Object.values(oracles).filter((oracle) => codeHashes[oracle] !== undefined)
  return { ...deployment, codeHashes: { ...codeHashes, ...(await readCodeHashes(client, feeds)) } }
}

/**
 * Returns a one-line error for a deployment that cannot be used. Errors of viem have several paragraphs and contain the
 * URL.
 */
function toForkError(error: unknown, chainId: Network.ChainId): Error {
  const reason = error instanceof BaseError ? `${error.shortMessage} ${error.details}` : (error as Error).message
  const line = reason.replaceAll(/\s+/g, ' ').trim()
  return new Error(`Cannot use the deployment of chain ${chainId} on a fork: ${line}`, { cause: error })
}

async function deploy(provider: Provider, onProgress: OnProgress): Promise<DeployedChain> {
  await placeDeploymentProxy(provider)
  const feeds = await deployNetworkFeeds(await createDeployer(provider, feedOwner.address))
  const deployer = await createDeployer(provider, localAccounts[0].address)
  const { deployment } = await deployStack(deployer, { ...feeds, onProgress })
  return await readDeployedChain(provider, deployment)
}

/**
 * Makes every feed of a fork settable by the feed's owner. If the owner can set the answer, the node signs for the owner.
 * Any other feed is replaced by a local feed at the same address, with the same answer.
 *
 * @returns the chain without oracles that are not feeds
 */
async function adoptFeeds(
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
async function adoptFeed({ provider, client, chain, onProgress }: Scope, { name, address }: NamedFeed) {
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
