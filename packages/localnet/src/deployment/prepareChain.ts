import type { Deployment } from '@agio/chain'
import type { Network } from '@agio/core'
import { BaseError } from 'viem'
import type { DeployedChain } from '../chain/LocalChain.ts'
import { connectLocalNode, type LocalNodeClient, type Provider } from '../chain/Provider.ts'
import { deploymentMethods } from '../node/rememberDeployment.ts'
import { pushPricesOver } from '../price/keeper.ts'
import { adoptFeeds } from './adoptFeeds.ts'
import { placeDeploymentProxy } from './create2.ts'
import { deployNetworkFeeds } from './deployAsset.ts'
import { deployStack } from './deployStack.ts'
import { placeCommonContracts } from './placeCommonContracts.ts'
import { readCodeHashes } from './readCodeHashes.ts'
import { readDeployedChain } from './readDeployedChain.ts'
import { feedOwner, localAccounts } from '../accounts/localAccounts.ts'
import { createDeployer } from './createDeployer.ts'

/**
 * Deploys the contracts to a local node, or uses the deployment that a fork already has. Then places the common contracts
 * that are missing.
 */
export async function prepareChain(
  provider: Provider,
  { forked, onProgress = () => {} }: prepareChain.Options = {},
): Promise<DeployedChain> {
  const chain = (forked && (await adoptFork(provider, forked, onProgress))) ?? (await deploy(provider, onProgress))
  await placeCommonContracts(provider)
  const deployment = { ...chain.deployment, local: true }
  await provider.request({ method: deploymentMethods.set, params: [deployment] })
  return { ...chain, deployment }
}

export declare namespace prepareChain {
  type Options = {
    /** The deployment of the chain that the node forks. It is used if its router exists. */
    readonly forked?: Deployment | undefined
    readonly onProgress?: OnProgress | undefined
  }
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
