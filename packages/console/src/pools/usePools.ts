import { toRetryDelayMs } from '@agio/react/internal'
import type { ChainId } from '@agio/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../service/trpc.ts'
import { usePrices } from '../service/usePrices.ts'

const pageSize = 20
// The list is only for selection. The selected pool is refreshed more often.
const refreshMs = 120_000

/** Reads a page of a network's pools and the prices of their tokens. */
export function usePools(chainId: ChainId) {
  const [page, setPage] = useState(1)
  const list = useQuery(
    trpc.pools.list.queryOptions(
      { chainId, page, limit: pageSize },
      { refetchInterval, placeholderData: keepPreviousData },
    ),
  )
  const prices = usePrices(chainId, { isWatched: true })
  return { list, prices, page, setPage, pageSize }
}

function refetchInterval({ state: { error } }: { readonly state: { readonly error: unknown } }): number {
  return toRetryDelayMs(error) ?? refreshMs
}
