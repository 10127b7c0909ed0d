import { Decimal, findAgioError, useNow } from '@agio/react/internal'
import type { PoolDetails, PoolOracle } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import { QueryErrorNotice } from '../errors/ErrorNotice.tsx'
import { Plot, toShare } from '../plot/Plot.tsx'
import type { ServedNetwork } from '../settings/network.ts'
import { toExplorerUrl } from '../settings/toExplorerUrl.ts'
import { Age } from '../time/Age.tsx'
import { formatDuration } from '../time/formatDuration.ts'
import { Address } from '../ui/Address.tsx'
import { Badge } from '../ui/Notice.tsx'
import { Fact, Facts, Panel, Skeleton, Stack } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'
import { CurveSection } from './CurveSection.tsx'
import { type Halts, type PoolValue, type Share, describePool, findHalts, valueDecimals, valuePool } from './Pool.ts'
import styles from './pools.module.css'
import { usePool } from './usePool.ts'

/** Shows one pool: its reserves and their distance from the halts, its prices, and the curves of both directions. */
export function PoolView({ poolAddress, network, shownError }: PoolView.Props) {
  const { details, isLive, ladders } = usePool(poolAddress, network.chainId)
  const { data: pool, error } = details
  const isShown = error !== null && codeOf(error) === codeOf(shownError)
  return (
    <>
      {error && !isShown && <QueryErrorNotice query={details} isRepeated={!isLive} />}
      {!pool && !error && <LoadingPool />}
      {pool && <LoadedPool pool={pool} ladders={ladders} network={network} />}
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

type LoadedProps = Pick<ReturnType<typeof usePool>, 'ladders'> &
  Pick<PoolView.Props, 'network'> & {
    readonly pool: PoolDetails
  }

function LoadedPool({ pool, ladders, network }: LoadedProps) {
  const { oracles } = pool
  const value = valuePool(pool, oracles)
  const state = describePool(pool, {
    hasAny: ladders.some(({ data }) => data),
    hasFailed: ladders.some(({ error }) => error),
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

type RoomProps = WeightProps & { readonly isStopped: boolean }

/** Describes the distance of the pool from its halts. */
function Room({ value: { sides }, halts, isStopped }: RoomProps) {
  if (!halts) {
    const why = isStopped ? 'while the pool does not convert' : 'yet'
    return <p className={classes('note', styles['room'])}>The halts of the pool are not known {why}.</p>
  }
  const [first, second] = sides
  return (
    <p className={classes('note', styles['room'])}>
      Max now: <Amount value={halts.maxAmountIn.token0} symbol={first.token.symbol} /> or{' '}
      <Amount value={halts.maxAmountIn.token1} symbol={second.token.symbol} />. The pool refuses amounts beyond its
      halts ({formatShare(halts.low)} and {formatShare(halts.high)}).
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

/** Shows one token of a pool: its reserve and weight, its price, and its largest input. */
function SidePanel({ index, oracle, value: { sides, totalRaw }, halts, network }: SideProps) {
  const { token, reserve, usd, valueRaw } = sides[index]
  const maxAmountIn = index === 0 ? halts?.maxAmountIn.token0 : halts?.maxAmountIn.token1
  return (
    <div className={styles['side']}>
      <h3 className={styles['title']}>
        <span className={classes(styles['swatch'], index === 1 && styles['sidePanelSecond'])} />
        {token.symbol}
        {oracle.stale && <Badge tone="warning">Price not accepted</Badge>}
      </h3>
      <Facts>
        <Fact name="Reserve">
          <Amount value={reserve} symbol={token.symbol} />
        </Fact>
        <Fact name="Value">
          <Amount value={Decimal.trim(Decimal.fromRaw(valueRaw, valueDecimals))} symbol="USD" maxDecimals={2} />
        </Fact>
        <Fact name="Share of the value">{Decimal.formatShare(valueRaw, totalRaw)}</Fact>
        <Fact name="Halts at a share of">{halts ? formatHalt(index, halts) : '–'}</Fact>
        <Fact name="Largest input">
          {maxAmountIn === undefined ? '–' : <Amount value={maxAmountIn} symbol={token.symbol} />}
        </Fact>
        <Fact name="Price">
          <Amount value={usd} symbol="USD" />
        </Fact>
        <PriceAge oracle={oracle} />
        <Fact name="Oracle">
          {oracle.address && (
            <Address
              value={oracle.address}
              label={`the address of the oracle of ${token.symbol}`}
              href={toExplorerUrl(network, 'address', oracle.address)}
            />
          )}
        </Fact>
      </Facts>
    </div>
  )
}

type SideProps = WeightProps & {
  /** Index of the token in the pool. */
  readonly index: 0 | 1
  readonly oracle: PoolOracle
  readonly network: ServedNetwork
}

/** Formats the share of a token at which the pool stops taking it. */
function formatHalt(index: 0 | 1, { low, high }: Halts): string {
  return formatShare(index === 0 ? high : { ...low, part: low.whole - low.part })
}

function PriceAge({ oracle: { lastUpdate, maxAgeSeconds, stale } }: { readonly oracle: PoolOracle }) {
  const ageSeconds = (useNow() - Date.parse(lastUpdate)) / 1000
  if (maxAgeSeconds === null) return <Fact name="Age of the price">Fixed (reference dollar)</Fact>
  return (
    <Fact name={`Age of the price, at most ${formatDuration(maxAgeSeconds)}`}>
      <Age at={lastUpdate} />
      <span className={styles['track']} aria-hidden="true">
        <span
          className={classes(stale && styles['stale'])}
          style={{ width: `${Math.min(100, Math.max(0, (100 * ageSeconds) / maxAgeSeconds))}%` }}
        />
      </span>
    </Fact>
  )
}

// Lengths in rem.
const labelHeight = 1.5
const barHeight = 1.75
const haltHeight = 2

/** Draws the weights of a pool's two tokens as parts of one bar, with the halts that limit the border between them. */
function WeightPlot({ value: { sides, totalRaw }, halts }: WeightProps) {
  const [first, second] = sides
  const [share0, share1] = sides.map(({ valueRaw }) => Decimal.formatShare(valueRaw, totalRaw))
  const limits = halts
    ? ` The halts are at ${formatShare(halts.low)} and ${formatShare(halts.high)} of ${first.token.symbol}.`
    : ''
  return (
    <Plot
      label={`Weights by value: ${share0} ${first.token.symbol}, ${share1} ${second.token.symbol}.${limits}`}
      height={labelHeight + barHeight + haltHeight}
      margin={{ top: labelHeight, bottom: haltHeight }}
    >
      {({ width, height, rem }) => {
        const border = toShare(first.valueRaw, totalRaw) * width
        return (
          <>
            <text className={styles['label']} y={-0.5 * rem}>
              {first.token.symbol} {share0}
            </text>
            <text className={styles['label']} x={width} y={-0.5 * rem} textAnchor="end">
              {second.token.symbol} {share1}
            </text>
            {totalRaw === 0n ? (
              <rect className={styles['empty']} width={width} height={height} rx={4} />
            ) : (
              <>
                <rect className={styles['first']} width={border} height={height} />
                <rect className={styles['second']} x={border} width={Math.max(0, width - border)} height={height} />
                <rect
                  className={styles['border']}
                  x={border - 1.5}
                  y={-0.25 * rem}
                  width={3}
                  height={height + 0.5 * rem}
                />
              </>
            )}
            {halts && <Halt share={halts.low} area={{ width, height, rem }} />}
            {halts && <Halt share={halts.high} area={{ width, height, rem }} />}
          </>
        )
      }}
    </Plot>
  )
}

type WeightProps = { readonly value: PoolValue; readonly halts: Halts | undefined }

function formatShare({ part, whole }: Share): string {
  return Decimal.formatShare(part, whole)
}

type HaltProps = { readonly share: Share; readonly area: Plot.Area }

/** Draws a line at a halt, with its share below. */
function Halt({ share: { part, whole }, area: { width, height, rem } }: HaltProps) {
  const at = toShare(part, whole)
  const x = Math.min(1, Math.max(0, at)) * width
  const isLeft = at < 0.5
  const [start, end] = isLeft ? [0, x] : [x, width]
  return (
    <>
      <rect className={styles['beyond']} x={start} width={end - start} height={height} />
      <line className={styles['halt']} x1={x} x2={x} y1={-0.35 * rem} y2={height + 0.5 * rem} />
      <text x={x} y={height + 1.4 * rem} textAnchor={at < 0.12 ? 'start' : at > 0.88 ? 'end' : 'middle'}>
        halt {Decimal.formatShare(part, whole)}
      </text>
    </>
  )
}
