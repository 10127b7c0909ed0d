import { skipToken, useQuery } from '@tanstack/react-query'
import { formatUnits } from 'viem'
import { queryClient } from '../../service/trpc.ts'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'

const queryName = 'balances'
// Tokens may also arrive from elsewhere. Tabs in the background do not poll.
const refreshMs = 5000

/**
 * Returns the wallet's balance of each token in whole tokens, by address. The balances are read through the wallet,
 * which does not count against the API key. They are unknown while the wallet is on another network.
 */
export function useBalances(wallet: ConnectedWallet | undefined, { chainId, tokens }: useBalances.Chain): Balances {
  const isThere = wallet?.chainId === chainId && tokens.length > 0
  const { data } = useQuery({
    queryKey: [queryName, chainId, wallet?.address, wallet?.id, tokens.map(({ address }) => address)],
    queryFn: wallet && isThere ? () => readBalances(wallet, tokens) : skipToken,
    refetchInterval: refreshMs,
  })
  return (isThere && data) || {}
}

export declare namespace useBalances {
  type Token = { readonly address: `0x${string}`; readonly decimals: number }
  type Chain = { readonly chainId: number; readonly tokens: readonly Token[] }
}

/** Balances in whole tokens, by token address. */
export type Balances = Readonly<Partial<Record<`0x${string}`, string>>>

/** Refreshes the balances after a transaction. */
export async function refetchBalances(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [queryName] })
}

async function readBalances({ address, getProvider }: ConnectedWallet, tokens: readonly useBalances.Token[]) {
  const provider = await getProvider()
  const entries = tokens.map(async (token) => {
    const call = { to: token.address, data: encodeBalanceOf(address) }
    const raw = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
    return [token.address, formatUnits(BigInt(String(raw)), token.decimals)] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as Balances
}

/** Encodes `balanceOf(address)` of ERC-20. */
function encodeBalanceOf(owner: `0x${string}`): `0x${string}` {
  return `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`
}
