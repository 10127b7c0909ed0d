import { Network } from '@agio/core'
import { defineSettings, parseSettings, serviceSettings } from '@agio/server/cli'
import { z } from 'zod'

const wholeNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number')
  .transform(Number)

// The other chains take the next ports.
const highestRpcPort = 65_536 - Network.chainIds.length

/** The settings of `pnpm localnet`. */
export const localnetSettings = defineSettings({
  rpcPort: {
    env: 'RPC_PORT',
    schema: wholeNumber.pipe(z.int().max(highestRpcPort)),
    default: Network.defaultFirstRpcPort,
    group: 'chains',
    help: 'Port of the first local node. The other nodes take the next ports. 0 takes any free ports',
  },
})

/** The settings of `pnpm start`. */
export const startSettings = defineSettings({
  ...localnetSettings,
  finalityBlocks: {
    env: 'FINALITY_BLOCKS',
    schema: wholeNumber.pipe(z.int().max(9999)),
    default: 5,
    group: 'chains',
    help: 'Number of blocks after which a block is safe. After twice as many blocks it is finalized',
  },
  host: serviceSettings.host,
  port: serviceSettings.port,
  console: { ...serviceSettings.console, help: 'on builds the console and serves it at /console' },
  // Requests are not logged, so that the table of addresses stays visible.
  logLevel: { ...serviceSettings.logLevel, default: 'warn' },
})

/** Reads the settings of `pnpm start`. @throws `Error` that names each bad variable */
export function readStartSettings(environment: Readonly<Record<string, string | undefined>>) {
  return parseSettings(startSettings, environment).values
}
