import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import type { HttpNetworkConfig } from 'hardhat/types/config'
import { compileContracts } from '../contracts/compileContracts.ts'
import { createHre } from '../node/createHre.ts'
import { assertVariablesSet } from './assertVariablesSet.ts'
import { createDeployer } from './createDeployer.ts'
import { deployStack } from './deployStack.ts'
import { writeDeployment } from './writeDeployment.ts'

/**
 * Deploys everything to a network of hardhat.config.ts, and gives back the path of the deployment file.
 *
 * @throws `Error` if the network is not one to deploy to, or if its variables are not set
 */
export async function deployToNetwork(network: string, options: deployToNetwork.Options): Promise<string> {
  const hre = await createHre()
  const config = getHttpNetwork(hre, network)
  assertVariablesSet(hre.userConfig, network)
  await compileContracts(options)
  // The service takes several URLs of one chain, in order of preference.
  const [url = ''] = (await config.url.get()).split(',')
  const connection = await hre.network.create({ network, override: { url: url.trim() } })
  try {
    const deployment = await deployStack(connection.viem, options)
    options.onProgress(`Deploying to chain ${deployment.chainId}: reader`)
    const deployer = await createDeployer(connection.viem)
    // Not every node that serves the network takes state overrides.
    const reader = await deployer.deploy('Reader', [])
    return await writeDeployment(options.deploymentsDir, { ...deployment, reader })
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
  throw new Error(`Cannot deploy to '${network}': the networks to deploy to are ${names.join(', ')}`)
}
