import type { ChainId } from '@agio/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { trpc } from '../service/trpc.ts'

const pageSize = 20
// The list is for choosing; the selected pool is refreshed more often.
const refreshMs = 120_000
const failedRefreshMs = 30_000

/** Reads a page of the pools of a network, and the prices of their tokens. */
export function usePools(chainId: ChainId) {
  const [page, setPage] = useState(1)
  const list = useQuery(
    trpc.pools.list.queryOptions(
      { chainId, page, limit: pageSize },
      { refetchInterval, placeholderData: keepPreviousData },
    ),
  )
  const prices = useQuery(trpc.oracle.prices.queryOptions({ chainId }, { refetchInterval }))
  return { list, prices, page, setPage, pageSize }
}

function refetchInterval({ state: { error } }: { readonly state: { readonly error: unknown } }): number {
  return error === null ? refreshMs : failedRefreshMs
}
