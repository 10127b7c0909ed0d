import type { Address, Network } from '@agio/core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { toProvider } from '../chain/Provider.ts'
import { createDeployer, type Deployer } from './createDeployer.ts'
import type { NetworkFeeds } from './deployAsset.ts'
import { setGuardian } from './deployPool.ts'
import { deployOnTokens } from './deployOnTokens.ts'
import { deployStack, type DeployedContract } from './deployStack.ts'
import { writeDeployment } from './deploymentFile.ts'
import { handOver } from './handOver.ts'
import { readCodeHashes } from './readCodeHashes.ts'

/**
 * Deploys all contracts to a test network.
 *
 * @returns the path of the deployment file, and the contracts whose ownership the new owner must accept
 * @throws `Error` if the node serves another chain; the errors of `deployStack`
 */
export async function deployToNetwork({
  rpcUrl,
  deployerKey,
  ...options
}: deployToNetwork.Options): Promise<NetworkDeployment> {
  return await deployBy(await createDeployer(toProvider(rpcUrl), privateKeyToAccount(deployerKey)), options)
}

/** Deploys all contracts to a test network with an account of its own. @see `deployToNetwork` */
export async function deployBy(deployer: Deployer, options: deployBy.Options): Promise<NetworkDeployment> {
  const { chainId } = options
  const served = await deployer.client.getChainId()
  if (served !== chainId) throw new Error(`Cannot deploy to chain ${chainId}: the node serves chain ${served}`)
  const { existing } = options
  const { deployment, contracts } = existing
    ? await deployOnTokens(deployer, { ...options, ...existing })
    : await deployStack(deployer, options)
  options.onProgress(`Deploying to chain ${chainId}: reader`)
  // The service needs a deployed reader if a node rejects state overrides.
  const reader = await deployer.deploy('Reader', [])
  const codeHashes = { ...deployment.codeHashes, ...(await readCodeHashes(deployer.client, [reader])) }
  const path = await writeDeployment(options.deploymentsDir, { ...deployment, reader, codeHashes })
  if (options.guardian !== undefined)
    for (const pool of deployment.pools) await setGuardian(deployer, pool, options.guardian)
  if (options.owner === undefined) return { path, pending: [] }
  options.onProgress(`Handing over the contracts of chain ${chainId} to ${options.owner}`)
  return { path, pending: await handOver(deployer, contracts, options.owner) }
}

export declare namespace deployToNetwork {
  type Options = deployBy.Options & {
    /** The node of the network. */
    readonly rpcUrl: string
    /** The private key of the account that deploys and pays. It owns the contracts unless they are handed over. */
    readonly deployerKey: Hex
  }
}

export declare namespace deployBy {
  type Options = NetworkFeeds & {
    readonly chainId: Network.ChainId
    readonly deploymentsDir: string
    readonly dollarsPerSide?: number | undefined
    /** Tokens that exist, of which pools are made. By default test tokens are deployed. */
    readonly existing?: Pick<deployOnTokens.Options, 'tokens' | 'referenceToken'> | undefined
    /** The account to which the deployer hands over every contract that has an owner. Default: the deployer. */
    readonly owner?: Address | undefined
    /** The account that may freeze the pools, besides their owner. Default: none. */
    readonly guardian?: Address | undefined
    readonly onProgress: (message: string) => void
  }
}

type NetworkDeployment = {
  /** The path of the deployment file. */
  readonly path: string
  readonly pending: readonly DeployedContract[]
}
