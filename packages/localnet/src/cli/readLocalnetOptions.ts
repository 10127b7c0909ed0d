import { Network } from '@agio/core'
import { parseSettings } from '@agio/server/cli'
import { parseArgs } from 'node:util'
import type { startLocalnet } from '../localnet/startLocalnet.ts'
import { localnetSettings } from './localSettings.ts'

/** The usage of the options that `pnpm start` and `pnpm localnet` share. */
export const localnetUsage = `Options:
  --fork <chain>=<http URL>   forks this chain (${Network.chainIds.join(' or ')}) from a node; can be repeated`

/** Reads the command line and the environment of the local chains. @throws `Error` that names the invalid option or variable */
export function readLocalnetOptions(args: readonly string[]): startLocalnet.Options {
  const { rpcPort } = parseSettings(localnetSettings, process.env).values
  return { rpcPort, forks: parseForks(readForks(args)) }
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

function readForks(args: readonly string[]): readonly string[] {
  try {
    return parseArgs({ args: [...args], options: { fork: { type: 'string', multiple: true } } }).values.fork ?? []
  } catch (cause) {
    throw new Error(`Cannot start: ${(cause as Error).message}`, { cause })
  }
}
