import { Network } from '@agio/core'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import type { ChainDescriptorUserConfig, EdrNetworkUserConfig } from 'hardhat/types/config'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import { padGasEstimates } from './padGasEstimates.ts'

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
    // Hardforks of each chain, for forks: the latest from block 0.
    chainDescriptors: Object.fromEntries(Network.all.map(({ chainId, name }) => [chainId, describeChain(name)])),
    networks: Object.fromEntries(Network.chainIds.map((chainId) => [toNetworkName(chainId), localChain(chainId)])),
  }
  // The project root may be any folder of a package. Hardhat reads nothing below it.
  const hre = await createHardhatRuntimeEnvironment(config, {}, import.meta.dirname)
  padGasEstimates(hre.hooks)
  return hre
}

/** Returns the name of a local chain in the configuration of Hardhat. */
export function toNetworkName(chainId: Network.ChainId): string {
  return `local${chainId}`
}

function describeChain(name: string): ChainDescriptorUserConfig {
  return { name, chainType: 'generic', hardforkHistory: { osaka: { blockNumber: 0 } } }
}

function localChain(chainId: Network.ChainId): EdrNetworkUserConfig {
  return {
    type: 'edr-simulated',
    chainType: 'generic',
    chainId,
    // Like a real node: the sender of a transaction that fails gets its hash.
    throwOnTransactionFailures: false,
    // Blocks come faster than seconds while contracts are deployed: the chain's clock must not run ahead.
    allowBlocksWithSameTimestamp: true,
  }
}
