import { Decimal } from '@agio/react/internal'
import type { OraclePrices, Pool } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Amount } from '../amount/Amount.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { toShare } from '../plot/toShare.ts'
import type { usePools } from './PoolsPage.tsx'
import styles from './pools.module.css'
import { valueDecimals, valuePool } from './valuePool.ts'
import { trpc } from '../service/trpc.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** Lists the pools of a network with the weights of their reserves. */
export function PoolList({ pools: { list, prices, page, setPage, pageSize }, selected }: PoolList.Props) {
  const { data, error, errorUpdatedAt, isFetching, refetch } = list
  return (
    <Panel title="All pools">
      {error && (
        <ErrorNotice
          error={error}
          at={errorUpdatedAt}
          isRepeated
          actions={
            <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {!data && !error && (
        <div className={styles['poolListLoading']}>
          <Skeleton width="100%" label="Loading the pools" />
          <Skeleton width="100%" />
        </div>
      )}
      {data?.pagination.total === 0 && (
        <p>No pools can be read on this network. The pools of its deployment appear once a node responds.</p>
      )}
      {data && data.pools.length > 0 && (
        <PoolTable pools={data.pools} prices={prices.data?.prices} selected={selected} />
      )}
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

export declare namespace PoolList {
  type Props = {
    readonly pools: ReturnType<typeof usePools>
    /** Address of the shown pool. */
    readonly selected: string | undefined
  }
}

type Prices = OraclePrices['prices'] | undefined

function PoolTable({ pools, prices, selected }: TableProps) {
  return (
    <table className={styles['poolListTable']}>
      <caption className="visually-hidden">The pools of the network</caption>
      <thead>
        <tr>
          <th scope="col">Pool</th>
          <th scope="col">Reserves</th>
          <th scope="col">Weights by value</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {pools.map((pool) => (
          <Row key={pool.address} pool={pool} prices={prices} isSelected={isSameAddress(pool.address, selected)} />
        ))}
      </tbody>
    </table>
  )
}

type TableProps = {
  readonly pools: readonly Pool[]
  readonly prices: Prices
  readonly selected: string | undefined
}

type RowProps = { readonly pool: Pool; readonly prices: Prices; readonly isSelected: boolean }

function Row({ pool: listed, prices, isSelected }: RowProps) {
  const { address, chainId, name, token0, token1 } = listed
  // The shown pool is newer than the list. It is only looked up here.
  const input = { poolAddress: address, chainId }
  const { data: details } = useQuery(trpc.pools.get.queryOptions(input, { enabled: false }))
  const pool = (isSelected && details) || listed
  const { reserves } = pool
  const [price0, price1] = [prices?.[token0.symbol], prices?.[token1.symbol]]
  const value = price0 && price1 && valuePool(pool, { token0: price0, token1: price1 })
  return (
    <tr className={isSelected ? styles['selected'] : undefined}>
      <th scope="row">
        <Link href={`/pools?pool=${address}&chain=${chainId}`} aria-current={isSelected ? 'true' : undefined}>
          {name}
        </Link>{' '}
        {(price0?.stale || price1?.stale) && <Badge tone="warning">Price not accepted</Badge>}
      </th>
      <td data-label="Reserves">
        <span className={styles['lines']}>
          <Amount value={reserves.token0} symbol={token0.symbol} />
          <Amount value={reserves.token1} symbol={token1.symbol} />
        </span>
      </td>
      <td data-label="Weights by value">
        {value ? <Weights value={value} /> : <span className={styles['unknown']}>–</span>}
      </td>
      <td data-label="Value">
        {value ? (
          <Amount value={Decimal.trim(Decimal.fromRaw(value.totalRaw, valueDecimals))} symbol="USD" maxDecimals={2} />
        ) : (
          '–'
        )}
      </td>
    </tr>
  )
}

function Weights({ value: { sides, totalRaw } }: { readonly value: ReturnType<typeof valuePool> }) {
  const [first, second] = sides
  return (
    <span className={styles['lines']}>
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
