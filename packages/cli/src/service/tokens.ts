import type { Agio, ChainId } from '@agio/sdk'
import { CommandError } from '../errors/CommandError.ts'

/** An address in any letter case. */
export type Address = `0x${string}`

/** Parses an address. @throws `CommandError` that names the option */
export function parseAddress(text: string, name: string): Address {
  if (isAddress(text)) return text
  throw new CommandError('input', `Invalid ${name}: '${text}' is not an address`)
}

/** Parses a transaction hash. @throws `CommandError` */
export function parseHash(text: string): `0x${string}` {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text as `0x${string}`
  throw new CommandError('input', `Invalid transaction hash: '${text}' is not 0x and 64 hex digits`)
}

/**
 * Resolves tokens that are named by symbol or address to addresses. Symbols are looked up at the service, which is not called for
 * addresses.
 *
 * @throws `CommandError` for an unknown symbol, and for one that several tokens have
 */
export async function resolveTokens(
  agio: Agio,
  chainId: ChainId,
  names: readonly string[],
): Promise<readonly Address[]> {
  if (names.every(isAddress)) return names
  const { chains } = await agio.api.chains.list.query()
  const tokens = chains.find((chain) => chain.chainId === chainId)?.tokens ?? []
  return names.map((name) => {
    if (isAddress(name)) return name
    const named = tokens.filter(({ symbol }) => symbol.toLowerCase() === name.toLowerCase())
    const exact = named.filter(({ symbol }) => symbol === name)
    const [token, ...others] = exact.length > 0 ? exact : named
    if (!token) {
      const symbols = tokens.map(({ symbol }) => symbol).join(', ')
      throw new CommandError('input', `Unknown token '${name}': chain ${chainId} has ${symbols || 'no tokens'}`)
    }
    if (others.length === 0) return token.address
    const addresses = [token, ...others].map(({ address }) => address).join(', ')
    throw new CommandError('input', `Pass the address of '${name}': several tokens have this symbol, ${addresses}`)
  })
}

function isAddress(text: string): text is Address {
  return /^0x[0-9a-f]{40}$/i.test(text)
}
