import { chainIds, defaultFirstRpcPort, isChainId, type ChainId } from '@agio/core'
import { parseArgs } from 'node:util'
import type { startLocalnet } from '../localnet/startLocalnet.ts'
import { readPort } from './readEnvironment.ts'

/** The usage of the options that `pnpm start` and `pnpm localnet` share. */
export const localnetUsage = `Options:
  --fork <chain>=<http URL>   forks this chain (${chainIds.join(' or ')}) from a node; can be repeated
Environment variables:
  RPC_PORT    the port of the first local node, default ${defaultFirstRpcPort}; the others take the next ports, 0 takes any free ports`

/** Reads the command line and the environment of the local chains. @throws `Error` that names the invalid option or variable */
export function readLocalnetOptions(args: readonly string[]): startLocalnet.Options {
  // The other chains take the next ports.
  const highest = 65_536 - chainIds.length
  const rpcPort = readPort(process.env, { name: 'RPC_PORT', fallback: defaultFirstRpcPort, highest })
  return { rpcPort, forks: parseForks(readForks(args)) }
}

/**
 * Parses the values of `--fork <chain>=<http URL>`.
 *
 * @throws `Error` if a value names no supported chain, or no URL
 */
export function parseForks(values: readonly string[]): Partial<Record<ChainId, string>> {
  return Object.fromEntries(values.map(parseFork))
}

function parseFork(value: string): [ChainId, string] {
  const [name = '', url = ''] = value.split(/=(.*)/s)
  const chainId = Number(name)
  if (isChainId(chainId) && /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return [chainId, url]
  throw new Error(`Cannot fork '${name}': --fork takes <chain>=<http URL>, chain ${chainIds.join(' or ')}`)
}

function readForks(args: readonly string[]): readonly string[] {
  try {
    return parseArgs({ args: [...args], options: { fork: { type: 'string', multiple: true } } }).values.fork ?? []
  } catch (cause) {
    throw new Error(`Cannot start: ${(cause as Error).message}`, { cause })
  }
}
