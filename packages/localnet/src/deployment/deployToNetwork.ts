import type { Address } from '@agio/core'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import type { ConfigurationVariable, HardhatUserConfig, HttpNetworkConfig } from 'hardhat/types/config'
import { compileContracts } from '../contracts/compileContracts.ts'
import { createHre } from '../node/createHre.ts'
import { createDeployer } from './createDeployer.ts'
import type { NetworkFeeds } from './deployAsset.ts'
import { setGuardian } from './deployPool.ts'
import { deployStack, type DeployedContract } from './deployStack.ts'
import { writeDeployment } from './deploymentFile.ts'
import { handOver } from './handOver.ts'
import { readCodeHashes } from './readCodeHashes.ts'

/**
 * Deploys all contracts to a test network of hardhat.config.ts.
 *
 * @returns the path of the deployment file, and the contracts whose ownership the new owner must accept
 * @throws `Error` if the network is unknown, or if its variables are not set; the errors of `deployStack`
 */
export async function deployToNetwork(network: string, options: deployToNetwork.Options): Promise<NetworkDeployment> {
  const hre = await createHre()
  const config = getHttpNetwork(hre, network)
  assertVariablesSet(hre.userConfig, network)
  await compileContracts(options)
  // The variable may list several URLs, in order of preference.
  const [url = ''] = (await config.url.get()).split(',')
  const connection = await hre.network.create({ network, override: { url: url.trim() } })
  try {
    const { deployment, contracts } = await deployStack(connection.viem, options)
    const { chainId } = deployment
    options.onProgress(`Deploying to chain ${chainId}: reader`)
    const deployer = await createDeployer(connection.viem)
    // The service needs a deployed reader if a node rejects state overrides.
    const reader = await deployer.deploy('Reader', [])
    const codeHashes = { ...deployment.codeHashes, ...(await readCodeHashes(deployer.client, [reader])) }
    const path = await writeDeployment(options.deploymentsDir, { ...deployment, reader, codeHashes })
    if (options.guardian !== undefined)
      for (const pool of deployment.pools) await setGuardian(deployer, pool, options.guardian)
    if (options.owner === undefined) return { path, pending: [] }
    options.onProgress(`Handing over the contracts of chain ${chainId} to ${options.owner}`)
    return { path, pending: await handOver(deployer, contracts, options.owner) }
  } finally {
    await connection.close()
  }
}

export declare namespace deployToNetwork {
  type Options = NetworkFeeds & {
    readonly deploymentsDir: string
    readonly dollarsPerSide?: number | undefined
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

function getHttpNetwork({ config }: HardhatRuntimeEnvironment, network: string): HttpNetworkConfig {
  const found = config.networks[network]
  if (found?.type === 'http') return found
  const names = Object.keys(config.networks).filter((name) => config.networks[name]?.type === 'http')
  throw new Error(`Cannot deploy to '${network}': the test networks are ${names.join(', ')}`)
}

/** @throws `Error` that names every missing environment variable of a network */
function assertVariablesSet({ networks }: HardhatUserConfig, network: string): void {
  const config = networks?.[network]
  if (config?.type !== 'http') return
  const accounts = Array.isArray(config.accounts) ? config.accounts : []
  const missing = [config.url, ...accounts].filter(isVariable).filter(({ name }) => !process.env[name])
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(' and ')
  throw new Error(`Cannot deploy to '${network}': set ${names} in the environment`)
}

function isVariable(value: string | ConfigurationVariable): value is ConfigurationVariable {
  return typeof value !== 'string'
}
