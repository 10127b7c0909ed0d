import { Decimal } from '@agio/react/internal'
import type { MarketHoursList, OraclePrices, Pool } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { Amount } from '../amount/Amount.tsx'
import { QueryErrorNotice } from '../errors/ErrorNotice.tsx'
import { toShare } from '../plot/Plot.tsx'
import { trpc } from '../service/trpc.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Badge, Notice } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'
import { Page, Panel, Skeleton } from '../ui/Panel.tsx'
import { valueDecimals, valuePool } from './Pool.ts'
import { PoolView } from './PoolView.tsx'
import styles from './pools.module.css'
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

/** A table of the pools of a network: price, state, market hours and depth. */
function PoolTable({ pools: { list, prices, hours, page, setPage, pageSize }, selected }: PoolTable.Props) {
  const { data, error } = list
  return (
    <Panel title="All pools">
      {error && <QueryErrorNotice query={list} isRepeated />}
      <div className={styles['poolList']}>
        {!data && !error && (
          <div className={styles['poolTableLoading']}>
            <Skeleton width="100%" label="Loading the pools" />
            <Skeleton width="100%" />
          </div>
        )}
        {data?.pagination.total === 0 && (
          <p>No pools can be read on this network. The pools of its deployment appear once a node responds.</p>
        )}
        {data && data.pools.length > 0 && (
          <PoolRows pools={data.pools} prices={prices.data?.prices} hours={hours.data} selected={selected} />
        )}
      </div>
      {data && data.pagination.total > pageSize && (
        <div className={styles['pages']}>
          <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <span>
            Page {page} of {Math.ceil(data.pagination.total / pageSize)}
          </span>
          <Button size="small" disabled={page * pageSize >= data.pagination.total} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </Panel>
  )
}

declare namespace PoolTable {
  type Props = {
    readonly pools: ReturnType<typeof usePools>
    /** Address of the shown pool. */
    readonly selected: string | undefined
  }
}

type Prices = OraclePrices['prices'] | undefined

type TableProps = {
  readonly pools: readonly Pool[]
  readonly prices: Prices
  readonly hours: MarketHoursList | undefined
  readonly selected: string | undefined
}

function PoolRows({ pools, prices, hours, selected }: TableProps) {
  return (
    <table className={styles['poolTable']}>
      <caption className="visually-hidden">The pools of the network</caption>
      <thead>
        <tr>
          <th scope="col">Pool</th>
          <th scope="col">Price</th>
          <th scope="col">State</th>
          <th scope="col">Market hours</th>
          <th scope="col">Depth</th>
        </tr>
      </thead>
      <tbody>
        {pools.map((pool) => (
          <Row
            key={pool.address}
            pool={pool}
            prices={prices}
            hours={hours?.pairs.find(({ poolAddress }) => isSameAddress(poolAddress, pool.address))}
            isSelected={isSameAddress(pool.address, selected)}
          />
        ))}
      </tbody>
    </table>
  )
}

type Hours = MarketHoursList['pairs'][number]

type RowProps = {
  readonly pool: Pool
  readonly prices: Prices
  readonly hours: Hours | undefined
  readonly isSelected: boolean
}

function Row({ pool: listed, prices, hours, isSelected }: RowProps) {
  const { address, chainId, name, token0, token1 } = listed
  // The shown pool is newer than the list. It is only looked up here.
  const input = { poolAddress: address, chainId }
  const { data: details } = useQuery(trpc.pools.get.queryOptions(input, { enabled: false }))
  const pool = (isSelected && details) || listed
  const [price0, price1] = [prices?.[token0.symbol], prices?.[token1.symbol]]
  const value = price0 && price1 && valuePool(pool, { token0: price0, token1: price1 })
  const isStale = price0?.stale === true || price1?.stale === true
  return (
    <tr className={isSelected ? styles['selected'] : undefined}>
      <th scope="row">
        <Link href={`/pools?pool=${address}&chain=${chainId}`} aria-current={isSelected ? 'true' : undefined}>
          {name}
        </Link>
      </th>
      <td data-label="Price">{price0 ? <Amount value={Decimal.trim(price0.usd)} symbol="USD" /> : '–'}</td>
      <td data-label="State">
        <span>
          <State isFrozen={pool.isFrozen} isStale={isStale} hours={hours} isKnown={price0 !== undefined} />
        </span>
      </td>
      <td data-label="Market hours">{hours ? <NextChange hours={hours} /> : '–'}</td>
      <td data-label="Depth">{value ? <Depth value={value} /> : <span className={styles['unknown']}>–</span>}</td>
    </tr>
  )
}

type StateProps = Pick<Pool, 'isFrozen'> & {
  readonly isStale: boolean
  readonly hours: Hours | undefined
  readonly isKnown: boolean
}

function State({ isFrozen, isStale, hours, isKnown }: StateProps) {
  if (isFrozen) return <Badge tone="danger">Frozen</Badge>
  if (isStale) return <Badge tone="warning">Price not accepted</Badge>
  if (hours?.isOpen === false) return <Badge tone="warning">Market closed</Badge>
  return isKnown ? <Badge tone="positive">Open</Badge> : <Badge>Reading</Badge>
}

/** When the market of a pair opens or closes next, in the time zone of the browser. */
function NextChange({ hours: { hasHours, isOpen, nextOpen, nextClose } }: { readonly hours: Hours }) {
  const next = isOpen ? nextClose : nextOpen
  if (!hasHours) return 'Always open'
  if (next === null) return isOpen ? 'Open for at least a year' : 'Closed for at least a year'
  return (
    <>
      {isOpen ? 'Closes' : 'Opens'}{' '}
      <time dateTime={next} title={next}>
        {new Date(next).toLocaleString(undefined, {
          weekday: 'short',
          day: 'numeric',
          month: 'short',
          hour: 'numeric',
          minute: '2-digit',
        })}
      </time>
    </>
  )
}

/** The value of the reserves, and the weights of both tokens. */
function Depth({ value: { sides, totalRaw } }: { readonly value: ReturnType<typeof valuePool> }) {
  const [first, second] = sides
  return (
    <span className={styles['lines']}>
      <Amount value={Decimal.trim(Decimal.fromRaw(totalRaw, valueDecimals))} symbol="USD" maxDecimals={2} />
      <span className={styles['bar']} aria-hidden="true">
        <span style={{ width: `${100 * toShare(first.valueRaw, totalRaw)}%` }} />
      </span>
      <span className={styles['shares']}>
        <span>
          {Decimal.formatShare(first.valueRaw, totalRaw)} {first.token.symbol}
        </span>
        <span>
          {Decimal.formatShare(second.valueRaw, totalRaw)} {second.token.symbol}
        </span>
      </span>
    </span>
  )
}

function isSameAddress(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}
