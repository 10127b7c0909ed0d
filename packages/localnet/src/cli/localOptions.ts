import { Network } from '@agio/core'
import { defineSettings, parseSettings, serviceSettings } from '@agio/server/cli'
import { z } from 'zod'
import { parseArgs } from 'node:util'
import type { startLocalnet } from '../localnet/startLocalnet.ts'

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

/** Parses the settings of `pnpm start`. @throws `Error` that names each bad variable */
export function parseStartSettings(environment: Readonly<Record<string, string | undefined>>) {
  return parseSettings(startSettings, environment).values
}

/** The usage of the options that `pnpm start` and `pnpm localnet` share. */
export const localnetUsage = `Options:
  --fork <chain>=<http URL>   forks this chain (${Network.chainIds.join(' or ')}) from a node; can be repeated`

/** Parses the command line and the environment of the local chains. @throws `Error` that names the invalid option or variable */
export function parseLocalnetOptions(args: readonly string[]): startLocalnet.Options {
  const { rpcPort } = parseSettings(localnetSettings, process.env).values
  return { rpcPort, forks: parseForks(listForks(args)) }
}

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

function listForks(args: readonly string[]): readonly string[] {
  try {
    return parseArgs({ args: [...args], options: { fork: { type: 'string', multiple: true } } }).values.fork ?? []
  } catch (cause) {
    throw new Error(`Cannot start: ${(cause as Error).message}`, { cause })
  }
}
