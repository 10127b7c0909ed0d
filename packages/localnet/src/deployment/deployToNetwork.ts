import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import type { ConfigurationVariable, HardhatUserConfig, HttpNetworkConfig } from 'hardhat/types/config'
import { compileContracts } from '../contracts/compileContracts.ts'
import { createHre } from '../node/createHre.ts'
import { createDeployer } from './createDeployer.ts'
import { deployStack } from './deployStack.ts'
import { writeDeployment } from './deploymentFile.ts'
import { readCodeHashes } from './readCodeHashes.ts'

/**
 * Deploys all contracts to a test network of hardhat.config.ts.
 *
 * @returns the path of the deployment file
 * @throws `Error` if the network is unknown, or if its variables are not set; the errors of `deployStack`
 */
export async function deployToNetwork(network: string, options: deployToNetwork.Options): Promise<string> {
  const hre = await createHre()
  const config = getHttpNetwork(hre, network)
  assertVariablesSet(hre.userConfig, network)
  await compileContracts(options)
  // The variable may list several URLs, in order of preference.
  const [url = ''] = (await config.url.get()).split(',')
  const connection = await hre.network.create({ network, override: { url: url.trim() } })
  try {
    const { deployment } = await deployStack(connection.viem, options)
    const { chainId } = deployment
    options.onProgress(`Deploying to chain ${chainId}: reader`)
    const deployer = await createDeployer(connection.viem)
    // The service needs a deployed reader if a node rejects state overrides.
    const reader = await deployer.deploy('Reader', [])
    const codeHashes = { ...deployment.codeHashes, ...(await readCodeHashes(deployer.client, [reader])) }
    return await writeDeployment(options.deploymentsDir, { ...deployment, reader, codeHashes })
  } finally {
    await connection.close()
  }
}

export declare namespace deployToNetwork {
  type Options = {
    readonly deploymentsDir: string
    readonly dollarsPerSide?: number | undefined
    readonly onProgress: (message: string) => void
  }
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
