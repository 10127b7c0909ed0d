import { Decimal, findAgioError } from '@agio/react/internal'
import type { PoolDetails } from '@agio/sdk'
import { useSearchParams } from 'wouter'
import { Amount } from '../amount/Amount.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { CurveSection } from './CurveSection.tsx'
import { type Halts, type PoolValue, describePool, findHalts, valueDecimals, valuePool } from './Pool.ts'
import { PoolTable } from './PoolTable.tsx'
import { SidePanel, WeightPlot } from './SidePanel.tsx'
import styles from './pools.module.css'
import { usePool, usePools } from './usePool.ts'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { useNetworkOfUrl } from '../settings/useNetworkOfUrl.ts'
import { Age } from '../time/Age.tsx'
import { Address } from '../ui/Address.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page, Stack } from '../ui/Page.tsx'
import { Fact, Facts, Panel, Skeleton } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'

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

/** Shows one pool: its reserves and their distance from the halts, its prices, and the curves of both directions. */
export function PoolView({ poolAddress, network, shownError }: PoolView.Props) {
  const { details, isLive, ladders, wasLocal } = usePool(poolAddress, network.chainId)
  const { data: pool, error, errorUpdatedAt, isFetching, refetch } = details
  const isShown = error !== null && codeOf(error) === codeOf(shownError)
  return (
    <>
      {error && !isShown && (
        <ErrorNotice
          error={error}
          at={errorUpdatedAt}
          isRepeated={!isLive}
          actions={
            <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {!pool && !error && <LoadingPool />}
      {pool && <LoadedPool pool={pool} ladders={ladders} wasLocal={wasLocal} network={network} />}
    </>
  )
}

export declare namespace PoolView {
  type Props = {
    readonly poolAddress: `0x${string}`
    readonly network: ServedNetwork
    /** An error that the page already shows, to avoid repeating it. */
    readonly shownError: unknown
  }
}

type LoadedProps = {
  readonly pool: PoolDetails
  readonly ladders: ReturnType<typeof usePool>['ladders']
  readonly wasLocal: boolean
  readonly network: ServedNetwork
}

function LoadedPool({ pool, ladders, wasLocal, network }: LoadedProps) {
  const { oracles } = pool
  const value = valuePool(pool, oracles)
  const state = describePool(pool, {
    errorCodes: ladders.flatMap(({ error }) => (error ? [codeOf(error)] : [])),
    hasAny: ladders.some(({ data }) => data),
    wasLocal,
  })
  const halts = state.isStopped ? undefined : findHalts(pool, value, [ladders[0].data, ladders[1].data])
  return (
    <>
      <Panel title={pool.name} actions={<Badge tone={state.tone}>{state.name}</Badge>}>
        <Stack>
          <PoolFacts pool={pool} value={value} network={network} />
          <p>{state.words}</p>
        </Stack>
      </Panel>
      <Panel title="Reserves and prices">
        <Stack>
          <WeightPlot value={value} halts={halts} />
          <Room value={value} halts={halts} isStopped={state.isStopped} />
          <div className={styles['poolViewColumns']}>
            <SidePanel index={0} oracle={oracles.token0} value={value} halts={halts} network={network} />
            <SidePanel index={1} oracle={oracles.token1} value={value} halts={halts} network={network} />
          </div>
        </Stack>
      </Panel>
      <CurveSection pool={pool} ladders={ladders} isBent={state.isPricedOnChain} />
    </>
  )
}

type FactsProps = { readonly pool: PoolDetails; readonly value: PoolValue; readonly network: ServedNetwork }

function PoolFacts({ pool, value, network }: FactsProps) {
  return (
    <Facts>
      <Fact name="Address">
        <Address
          value={pool.address}
          label="the address of the pool"
          href={toExplorerUrl(network, 'address', pool.address)}
        />
      </Fact>
      <Fact name="Fee">{pool.fee}</Fact>
      <Fact name="Value of the reserves">
        <Amount value={Decimal.trim(Decimal.fromRaw(value.totalRaw, valueDecimals))} symbol="USD" maxDecimals={2} />
      </Fact>
      <Fact name="LP tokens">
        <Amount value={Decimal.trim(pool.totalSupply)} />
      </Fact>
      <Fact name="Block">
        {pool.blockNumber}, <Age at={pool.blockTimestamp} />
      </Fact>
    </Facts>
  )
}

type RoomProps = {
  readonly value: PoolValue
  readonly halts: Halts | undefined
  readonly isStopped: boolean
}

/** Describes the distance of the pool from its halts. */
function Room({ value: { sides }, halts, isStopped }: RoomProps) {
  if (!halts) {
    return (
      <p className={classes('note', styles['room'])}>
        {isStopped
          ? 'The halts are unknown while the pool does not convert.'
          : 'The halts of the pool are not known yet.'}
      </p>
    )
  }
  const [first, second] = sides
  return (
    <p className={classes('note', styles['room'])}>
      Max now: <Amount value={halts.maxAmountIn.token0} symbol={first.token.symbol} /> or{' '}
      <Amount value={halts.maxAmountIn.token1} symbol={second.token.symbol} />. The pool refuses amounts beyond its
      halts ({Decimal.formatShare(halts.low.part, halts.low.whole)} and{' '}
      {Decimal.formatShare(halts.high.part, halts.high.whole)}).
    </p>
  )
}

function codeOf(error: unknown): string | undefined {
  return findAgioError(error)?.code
}

/** A placeholder with the height of a pool, so that the page does not move. */
function LoadingPool() {
  return (
    <Panel title="Pool">
      <div className={styles['poolViewLoading']}>
        <Skeleton width="16rem" label="Loading the pool" />
        <Skeleton width="100%" />
        <Skeleton width="100%" />
      </div>
    </Panel>
  )
}
