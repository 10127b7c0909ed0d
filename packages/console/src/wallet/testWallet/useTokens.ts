import { useQueries } from '@tanstack/react-query'
import { decodeAbiParameters } from 'viem'
import { useSettings } from '../../settings/console.ts'
import type { TokenInfo } from './describePrompt.ts'

type Hex = `0x${string}`

/**
 * Reads the symbols and decimals of tokens from the node of a local chain, by lower-case address. Returns undefined
 * while loading. Unreadable tokens are left out.
 */
export function useTokens(chainId: number, addresses: readonly Hex[]): Readonly<Record<string, TokenInfo>> | undefined {
  const url = useSettings().local?.rpcUrls[chainId]
  const results = useQueries({
    queries: addresses.map((address) => ({
      queryKey: ['test-wallet', 'token', chainId, address],
      queryFn: () => readToken(url, address),
      staleTime: Infinity,
      networkMode: 'always' as const,
    })),
  })
  if (results.some(({ isPending }) => isPending)) return undefined
  return Object.fromEntries(
    addresses.flatMap((address, index) => {
      const info = results[index]?.data
      return info ? [[address.toLowerCase(), info]] : []
    }),
  )
}

// The selectors of `symbol()` and `decimals()`.
const selectors = { symbol: '0x95d89b41', decimals: '0x313ce567' } as const

// The prompt waits this long for the tokens, because it would show raw amounts first.
const timeoutMs = 1500

async function readToken(url: string | undefined, address: Hex): Promise<TokenInfo> {
  const [symbol] = decodeAbiParameters([{ type: 'string' }], await call(url, address, selectors.symbol))
  const [decimals] = decodeAbiParameters([{ type: 'uint8' }], await call(url, address, selectors.decimals))
  return { symbol, decimals }
}

/** Calls a contract through the wallet's own node. */
async function call(url: string | undefined, to: Hex, data: Hex): Promise<Hex> {
  if (url === undefined) throw new Error(`Cannot call the contract ${to}: its chain has no node`)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] })
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { result } = (await response.json()) as { readonly result?: Hex }
  if (result === undefined) throw new Error(`Cannot call the contract ${to}: it reverted`)
  return result
}
