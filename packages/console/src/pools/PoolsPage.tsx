import { useSearchParams } from 'wouter'
import type { ServedNetwork } from '../settings/network.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { PoolTable } from './PoolTable.tsx'
import { PoolView } from './PoolView.tsx'
import { usePools } from './usePool.ts'

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
