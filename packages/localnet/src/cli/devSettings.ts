import { Network } from '@agio/core'
import { defineSettings, parseSettings, serviceSettings } from '@agio/server/cli'
import { z } from 'zod'
import { host } from '../node/assertPortFree.ts'

const wholeNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number')
  .transform(Number)

// The other chains take the next ports.
const highestRpcPort = 65_536 - Network.chainIds.length

/** The settings of the chains alone. */
export const localnetSettings = defineSettings({
  rpcPort: {
    env: 'RPC_PORT',
    schema: wholeNumber.pipe(z.int().max(highestRpcPort)),
    default: Network.defaultFirstRpcPort,
    group: 'chains',
    help: 'Port of the first local node. The other nodes take the next ports. 0 takes any free ports',
  },
})

/** The settings of `agio dev`. */
export const devSettings = defineSettings({
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

/**
 * Parses the values of `--fork <chain>=<http URL>`.
 *
 * @throws `Error` if a value has no supported chain, or no URL
 */
export function parseForks(values: readonly string[]): Partial<Record<Network.ChainId, string>> {
  return Object.fromEntries(values.map(parseFork))
}

function parseFork(value: string): [Network.ChainId, string] {
  const [name = '', url = ''] = value.split(/=(.*)/s)
  const chainId = Number(name)
  if (Network.isChainId(chainId) && /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return [chainId, url]
  throw new Error(`Cannot fork '${name}': --fork takes <chain>=<http URL>, chain ${Network.chainIds.join(' or ')}`)
}

/** Returns the nodes of the local chains from `RPC_PORT`, or with its default. */
export function toNodes(environment: NodeJS.ProcessEnv): Readonly<Record<Network.ChainId, string>> {
  const { rpcPort } = parseSettings(localnetSettings, environment, 'find the chains').values
  return Network.map((chainId) => `http://${host}:${Network.toLocalRpcPort(chainId, rpcPort)}`)
}
