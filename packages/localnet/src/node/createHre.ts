import { join } from 'node:path'
import { createHardhatRuntimeEnvironment, importUserConfig } from 'hardhat/hre'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import { projectRoot } from '../project/projectRoot.ts'
import { padGasEstimates } from './padGasEstimates.ts'

/**
 * Creates Hardhat with the project's configuration, from any working directory.
 *
 * @param cacheDir the cache of forked chains. Default: the cache of the project
 */
export async function createHre(cacheDir?: string): Promise<HardhatRuntimeEnvironment> {
  // Hardhat reads this variable when a network opens. The local chains must not call the internet.
  process.env['HARDHAT_DISABLE_TELEMETRY'] ??= 'true'
  const path = join(projectRoot, 'hardhat.config.ts')
  const config = await importUserConfig(path)
  const paths = cacheDir === undefined ? config.paths : { ...config.paths, cache: cacheDir }
  const userConfig = { ...config, ...(paths && { paths }) }
  const hre = await createHardhatRuntimeEnvironment(userConfig, { config: path }, projectRoot)
  padGasEstimates(hre.hooks)
  return hre
}
