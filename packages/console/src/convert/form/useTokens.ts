import { toRetryDelayMs } from '@agio/react/internal'
import type { Chain } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../service/trpc.ts'
import { useNetwork } from '../../settings/network.ts'

/** Returns the selected network with its tokens. The tokens are polled only until they are available. */
export function useTokens() {
  const { chainId } = useNetwork(({ network }) => network)
  const {
    data,
    error,
    errorUpdatedAt: at,
  } = useQuery({
    ...trpc.chains.list.queryOptions(),
    staleTime: Infinity,
    refetchInterval: ({ state }) => {
      if (state.error) return toRetryDelayMs(state.error) ?? false
      return state.data && find(state.data.chains, chainId)?.tokens.length === 0 ? waitMs : false
    },
  })
  const failed = error ? { error, at, isRepeated: true } : undefined
  return { chain: data && find(data.chains, chainId), failed }
}

// The service has no tokens until it has read the pools for the first time.
const waitMs = 20_000

function find(chains: readonly Chain[], chainId: number): Chain | undefined {
  return chains.find((chain) => chain.chainId === chainId)
}
