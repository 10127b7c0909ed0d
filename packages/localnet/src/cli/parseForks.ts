import { chainIds, isChainId, type ChainId } from '@agio/core'

/**
 * Reads what was given as `--fork 84532=URL`, once or more.
 *
 * @throws `Error` if one names no chain that we have, or no URL
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
