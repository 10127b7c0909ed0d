import { Network } from '@agio/core'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import { chainDescriptors, toLocalNetwork, toNetworkName } from './localNetworks.ts'
import { padGasEstimates } from './padGasEstimates.ts'
import { rememberDeployment } from './rememberDeployment.ts'

/**
 * Creates Hardhat with a network for each local chain, without a configuration file.
 *
 * @param running removes what Hardhat has cached on disposal
 */
export async function createHre(running: AsyncDisposableStack): Promise<HardhatRuntimeEnvironment> {
  // Hardhat reads this variable when a network opens. The local chains must not call the internet.
  process.env['HARDHAT_DISABLE_TELEMETRY'] ??= 'true'
  // Hardhat identifies forks by host and port, but a local port may belong to another chain at the next start.
  const folder = join(tmpdir(), `agio-localnet-${randomUUID()}`)
  running.defer(() => rm(folder, { recursive: true, force: true }))
  const config = {
    paths: { cache: join(folder, 'cache'), artifacts: join(folder, 'artifacts') },
    chainDescriptors,
    networks: Object.fromEntries(Network.chainIds.map((chainId) => [toNetworkName(chainId), toLocalNetwork(chainId)])),
  }
  // The project root may be any folder of a package. Hardhat reads nothing below it.
  const hre = await createHardhatRuntimeEnvironment(config, {}, import.meta.dirname)
  padGasEstimates(hre.hooks)
  hre.hooks.registerHandlers('network', { onRequest: rememberDeployment() })
  return hre
}
