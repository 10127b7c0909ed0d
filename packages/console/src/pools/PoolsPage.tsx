import { toRetryDelayMs } from '@agio/react/internal'
import type { ChainId } from '@agio/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { PoolTable } from './PoolTable.tsx'
import { PoolView } from './PoolView.tsx'
import { trpc } from '../service/trpc.ts'
import { usePrices } from '../service/usePrices.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'

/** The Pools page: the pools of a network, and one pool in detail, named by `?pool=` in the URL or the first. */
export function PoolsPage() {
  const { network, unservedChain } = useNetworkOfUrl()
  return (
    <Page title="Pools" intro="What each pool pays, when its market is open, and how much it holds.">
      {unservedChain !== undefined && (
        <Notice tone="warning" title="This service does not support the network of the link">
          The link is for chain {unservedChain}. Showing the pools of {network.name}.
        </Notice>
      )}
      <NetworkPools key={network.chainId} network={network} />
    </Page>
  )
}

function NetworkPools({ network }: { readonly network: ServedNetwork }) {
  const [search] = useSearchParams()
  const pools = usePools(network.chainId)
  const { data, error } = pools.list
  const selected = search.get('pool') ?? data?.pools[0]?.address
  return (
    <>
      <PoolTable pools={pools} selected={selected} />
      {selected !== undefined && (
        <PoolView key={selected} poolAddress={selected as `0x${string}`} network={network} shownError={error} />
      )}
    </>
  )
}

const pageSize = 20
// The list is only for selection. The selected pool is refreshed more often.
const refreshMs = 120_000

/** Reads a page of a network's pools, the prices of their tokens, and the hours of their markets. */
export function usePools(chainId: ChainId) {
  const [page, setPage] = useState(1)
  const list = useQuery(
    trpc.pools.list.queryOptions(
      { chainId, page, limit: pageSize },
      { refetchInterval, placeholderData: keepPreviousData },
    ),
  )
  const prices = usePrices(chainId, { isWatched: true })
  const hours = useQuery(trpc.market.hours.queryOptions({ chainId }, { refetchInterval }))
  return { list, prices, hours, page, setPage, pageSize }
}

function refetchInterval({ state: { error } }: { readonly state: { readonly error: unknown } }): number {
  return toRetryDelayMs(error) ?? refreshMs
}
