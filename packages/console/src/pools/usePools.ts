import type { ChainId, OraclePrices } from '@agio/sdk'
import { keepPreviousData, useQuery, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { unretriedAgio } from '../service/agio.ts'
import { queryClient, trpc } from '../service/trpc.ts'
import { useStream } from '../service/useStream.ts'

const pageSize = 20
// The list is only for selection. The selected pool is refreshed more often.
const refreshMs = 120_000
const failedRefreshMs = 30_000

/** Reads a page of a network's pools and the prices of their tokens. */
export function usePools(chainId: ChainId) {
  const [page, setPage] = useState(1)
  const list = useQuery(
    trpc.pools.list.queryOptions(
      { chainId, page, limit: pageSize },
      { refetchInterval, placeholderData: keepPreviousData },
    ),
  )
  const isLive = useStream(
    `prices ${chainId}`,
    (options) => unretriedAgio.watchPrices({ chainId }, options),
    (value) => queryClient.setQueryData<OraclePrices>(trpc.oracle.prices.queryKey({ chainId }) as QueryKey, value),
  )
  const prices = useQuery(
    trpc.oracle.prices.queryOptions({ chainId }, { refetchInterval: (query) => !isLive && refetchInterval(query) }),
  )
  return { list, prices, page, setPage, pageSize }
}

function refetchInterval({ state: { error } }: { readonly state: { readonly error: unknown } }): number {
  return error === null ? refreshMs : failedRefreshMs
}
