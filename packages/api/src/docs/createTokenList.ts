import { Errors } from '@agio/core'
import { readTokens } from '../chains/list.ts'
import type { AppSettings } from '../settings/AppSettings.ts'

/** What the format allows. Other tokens are left out, so that one token does not make the list invalid. */
const isListed = ({ name, symbol }: { readonly name: string; readonly symbol: string }) =>
  name.length <= 60 && symbol.length <= 20 && /^\S*$/.test(symbol)

/**
 * Creates the list of the tokens of all pools, in the format of tokenlists.org.
 *
 * @param version the version of the service, such as `2.1.0`
 * @param createdAtMs when the service started: a deployment has the same tokens until the next start
 * @throws `svc/upstream-unavailable` if no token could be read yet
 */
export async function createTokenList(
  chains: AppSettings['chains'],
  { version, createdAtMs }: createTokenList.Options,
): Promise<TokenList> {
  const lists = Object.values(chains).map(async (chain) => {
    const tokens = await readTokens(chain)
    return tokens.filter(isListed).map(({ address, symbol, name, decimals }) => {
      return { chainId: chain.chainId, address, symbol, name, decimals }
    })
  })
  const tokens = (await Promise.all(lists)).flat()
  const reason = 'no token has been read yet'
  if (tokens.length === 0) throw Errors.upstreamUnavailable({ action: 'list the tokens', reason })
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return { name: 'Agio', timestamp: new Date(createdAtMs).toISOString(), version: { major, minor, patch }, tokens }
}

export declare namespace createTokenList {
  type Options = { readonly version: string; readonly createdAtMs: number }
}

/** @see https://uniswap.org/tokenlist.schema.json */
type TokenList = {
  readonly name: string
  readonly timestamp: string
  readonly version: Readonly<Record<'major' | 'minor' | 'patch', number>>
  readonly tokens: readonly ListedToken[]
}

type ListedToken = Readonly<Record<'address' | 'symbol' | 'name', string>> &
  Readonly<Record<'chainId' | 'decimals', number>>
