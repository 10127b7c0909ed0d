import { useSearchParams } from 'wouter'
import type { ServedNetwork } from '../settings/network.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Notice } from '../ui/Notice.tsx'
import { PoolList } from './PoolList.tsx'
import styles from './PoolsPage.module.css'
import { PoolView } from './PoolView.tsx'
import { usePools } from './usePools.ts'

/** The Pools page: the pools of a network, and one pool in detail, named by `?pool=` in the URL or the first. */
export function PoolsPage() {
  const { network, unservedChain } = useNetworkOfUrl()
  return (
    <div className={styles['page']}>
      <h1>Pools</h1>
      {unservedChain !== undefined && (
        <Notice tone="warning" title="This service does not support the network of the link">
          The link is for chain {unservedChain}. Showing the pools of {network.name}.
        </Notice>
      )}
      <NetworkPools key={network.chainId} network={network} />
    </div>
  )
}

function NetworkPools({ network }: { readonly network: ServedNetwork }) {
  const [search] = useSearchParams()
  const pools = usePools(network.chainId)
  const { data, error } = pools.list
  const selected = search.get('pool') ?? data?.pools[0]?.address
  return (
    <>
      <PoolList pools={pools} selected={selected} />
      {selected !== undefined && (
        <PoolView key={selected} poolAddress={selected as `0x${string}`} network={network} shownError={error} />
      )}
    </>
  )
}
