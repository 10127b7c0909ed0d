import { Network } from '@agio/core'
import { HardhatPluginError } from 'hardhat/plugins'
import type { NewTaskActionFunction } from 'hardhat/types/tasks'
import { createDeployer } from '../deployment/createDeployer.ts'
import { deployBy } from '../deployment/deployToNetwork.ts'
import { formatPending, parseDeployOptions, type deployContracts } from '../cli/deployContracts.ts'

type Options = Omit<deployContracts.Options, 'network'>

/** Runs `hardhat agio deploy`: deploys with the first account of the network, and writes the deployment file. */
export const runDeploy: NewTaskActionFunction = async (options, hre) => {
  const { provider, networkName } = await hre.network.create()
  const served = Number(await provider.request({ method: 'eth_chainId' }))
  const network = Network.all.find(({ chainId }) => chainId === served)
  if (!network)
    throw new HardhatPluginError(
      'agio',
      `Cannot deploy to network ${networkName}: the service does not support chain ${served}`,
    )
  const parsed = parseDeployOptions({ ...(options as Options), network: network.slug })
  const [account] = (await provider.request({ method: 'eth_accounts' })) as readonly `0x${string}`[]
  if (!account) throw new HardhatPluginError('agio', `Cannot deploy to network ${networkName}: it has no account`)
  const { path, pending } = await deployBy(await createDeployer(provider, account), {
    ...parsed,
    deploymentsDir: hre.config.paths.deployments,
    onProgress: console.log,
  })
  console.log([`Wrote ${path}`, ...formatPending(pending, parsed.owner)].join('\n'))
}
