import type { ChainId, OraclePrices } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { unretriedAgio } from './agio.ts'
import { queryClient, trpc } from './trpc.ts'
import { useStream } from './useStream.ts'

const refreshMs = 120_000
const failedRefreshMs = 30_000

/**
 * Reads the oracle prices of a network, and watches them, or polls them without a stream.
 *
 * @param options.isWatched whether the prices are watched or polled. Otherwise they are read once
 */
export function usePrices(chainId: ChainId, { isWatched }: { readonly isWatched: boolean }) {
  const { isLive } = useStream(
    isWatched ? `prices ${chainId}` : undefined,
    (options) => unretriedAgio.watchPrices({ chainId }, options),
    (value) => queryClient.setQueryData<OraclePrices>(trpc.oracle.prices.queryKey({ chainId }), value),
  )
  return useQuery(
    trpc.oracle.prices.queryOptions(
      { chainId },
      {
        refetchInterval: ({ state: { error } }) =>
          isWatched && !isLive && (error === null ? refreshMs : failedRefreshMs),
      },
    ),
  )
}
