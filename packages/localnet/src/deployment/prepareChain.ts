import type { Deployment } from '@agio/chain'
import type { Network } from '@agio/core'
import { BaseError, createPublicClient, http, type PublicClient } from 'viem'
import type { LocalChain } from '../chain/LocalChain.ts'
import type { LocalNode } from '../node/startNode.ts'
import { pushPrices } from '../price/keeper.ts'
import { adoptFeeds } from './adoptFeeds.ts'
import { findDeployment, writeDeployment } from './deploymentFile.ts'
import { placeDeploymentProxy } from './create2.ts'
import { deployNetworkFeeds } from './deployAsset.ts'
import { deployStack } from './deployStack.ts'
import { placeCommonContracts } from './placeCommonContracts.ts'
import { readCodeHashes } from './readCodeHashes.ts'
import { readLocalChain } from './readLocalChain.ts'
import { feedOwner, localAccounts } from '../accounts/localAccounts.ts'
import { createDeployer } from './createDeployer.ts'

/**
 * Deploys the contracts to a node, or finds the deployment of a fork. Then places the common
 * contracts that are missing, and writes the deployment file.
 */
export async function prepareChain(node: LocalNode, options: prepareChain.Options): Promise<LocalChain> {
  const chain = (await findForkedChain(node, options)) ?? (await deploy(node, options))
  await placeCommonContracts(node)
  const deployment = { ...chain.deployment, local: true }
  await writeDeployment(options.deploymentsDir, deployment)
  return { ...chain, deployment }
}

export declare namespace prepareChain {
  type Options = {
    readonly forks: Readonly<Partial<Record<Network.ChainId, string>>>
    readonly deploymentsDir: string
    readonly forkDeploymentsDir: string
    readonly onProgress: (message: string) => void
  }
}

async function findForkedChain(node: LocalNode, options: prepareChain.Options): Promise<LocalChain | undefined> {
  const { chainId } = node
  if (options.forks[chainId] === undefined) return undefined
  const deployment = await findDeployment(options.forkDeploymentsDir, chainId)
  try {
    return deployment && (await adopt(node, deployment, options.onProgress))
  } catch (error) {
    throw toForkError(error, chainId)
  }
}

/**
 * Reads a deployment from a fork, and makes its prices settable. Returns undefined if the fork has no router at
 * its address.
 */
async function adopt(
  node: LocalNode,
  deployment: Deployment,
  onProgress: prepareChain.Options['onProgress'],
): Promise<LocalChain | undefined> {
  const { chainId, rpcUrl } = node
  const client = createPublicClient({ transport: http(rpcUrl) })
  if (!(await client.getCode({ address: deployment.router }))) return undefined
  onProgress(`Using the deployment of chain ${chainId}: router ${deployment.router}`)
  const chain = await adoptFeeds(await readLocalChain(rpcUrl, deployment, onProgress), onProgress)
  await pushPrices(chain)
  return { ...chain, deployment: await updateCodeHashes(client, chain) }
}

/** Returns the deployment with the present code hashes of its feeds, since some feeds have been replaced. */
async function updateCodeHashes(client: PublicClient, { deployment, oracles }: LocalChain): Promise<Deployment> {
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

async function deploy(node: LocalNode, { onProgress }: prepareChain.Options): Promise<LocalChain> {
  await placeDeploymentProxy(node)
  const feeds = await deployNetworkFeeds(await createDeployer(node.rpcUrl, feedOwner.address))
  const deployer = await createDeployer(node.rpcUrl, localAccounts[0].address)
  const { deployment } = await deployStack(deployer, { ...feeds, onProgress })
  return await readLocalChain(node.rpcUrl, deployment)
}
