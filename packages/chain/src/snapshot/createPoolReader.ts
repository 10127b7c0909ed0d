import { Errors, OraclePrice, type Address, type Pool, type PriceFault } from '@agio/core'
import type { Hex } from 'viem'
import type { Feeds } from '../deployment/Deployment.ts'
import type { Head } from '../head/Head.ts'
import type { FactReader } from '../reader/createFactReader.ts'
import type { Probe, Reader } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import { createTokens } from '../token/createTokens.ts'
import { chooseProbe, withoutProbe } from './chooseProbe.ts'
import { createDecisions } from './createDecisions.ts'
import { judgeReading, toCurveState } from './judgeReading.ts'
import type { ProbedBlock } from './probePools.ts'
import { readPoolStates, type PoolReading } from './readPoolStates.ts'
import { createFeedTerms, toPoolState, type PricingTerms } from './toPoolState.ts'

/**
 * Reads pools at a block. A token's metadata is read once. `createPricings` determines how a pool is priced. A pool
 * that cannot be read does not affect the other pools.
 */
export function createPoolReader(dependencies: createPoolReader.Dependencies) {
  const { addresses, reader, facts, feeds = {}, isSampled = () => false, onPool } = dependencies
  const tokens = createTokens(facts)
  const listed = [...new Set(addresses)]
  for (const pool of listRepeated(addresses)) onPool?.({ pool, state: 'repeated' })
  const recheck = (pools: readonly Address[]) => readAndRecord(pools.map(withoutProbe), 'latest').then(ignore)
  const unreadable = createUnreadablePools({ recheck, onPool })

  const feedTerms = createFeedTerms(feeds)
  const pricings = createPricings({
    reader,
    facts,
    tokens,
    isSampled,
    toPool: (reading, terms) => toPoolState(reading, { ...terms, toFeedTerms: feedTerms.get }),
    onDisproven: (pool) => onPool?.({ pool, state: 'disproven' }),
  })

  /**
   * Returns the readable pools of the deployment. If no pool is readable, returns all pools, so that the read can find a
   * pool that has become readable.
   */
  function listReadable(): readonly Address[] {
    const readable = listed.filter((pool) => !unreadable.has(pool))
    return readable.length > 0 ? readable : listed
  }
  async function readAndRecord(probes: readonly Probe[], at: BlockAt): Promise<readonly PoolReading[]> {
    const { readings } = await readPoolStates(reader, probes, { at, tokens, facts })
    for (const [pool, reading] of readings) unreadable.record(pool, typeof reading === 'string' ? reading : undefined)
    return filterReadable(readings)
  }
  let faultyFeeds: readonly FaultyFeed[] = []
  const listProbes = (hash: Hex) => listReadable().map((pool) => pricings.toProbe(pool, hash))
  return {
    /** The tokens read so far, by address. */
    tokens: tokens.known,
    /** The tokens about which the nodes disagree. Their pools are unreadable. */
    disputedTokens: tokens.disputed,
    /** Returns, from memory, the pools that were unreadable at their last read. */
    listUnreadable: unreadable.list,
    /** Returns, from memory, the pools whose views differ from the curve that the pools return. */
    listDisproven: pricings.listDisproven,
    /** Returns, from memory, the feeds with a fault other than an old price, by the last `readAndProbe`. */
    listFaultyFeeds: () => faultyFeeds,
    /**
     * Reads the readable pools at an earlier block, and that block's time. A pool that was not probed yet, for example
     * because its price is stale now, is probed at that block. A pool that cannot be read at that block may be readable
     * now, so it is not recorded as unreadable.
     *
     * @throws `svc/upstream-error` that names the pools if none is readable
     */
    async read(
      hash: Head['hash'],
    ): Promise<{ readonly timestampSeconds: bigint; readonly pools: readonly Pool.Pool[] }> {
      const states = await readPoolStates(reader, listProbes(hash), { at: hash, tokens, facts })
      const { timestampSeconds } = states
      const readings = assertAnyReadable(filterReadable(states.readings), listed)
      return { timestampSeconds, pools: await pricings.price(readings, { hash, timestampSeconds }) }
    },
    /** Reads the readable pools at the newest block, and probes new pools. @throws the errors of `read` */
    async readAndProbe(block: Head): Promise<readonly Pool.Pool[]> {
      const readings = assertAnyReadable(await readAndRecord(listProbes(block.hash), block.hash), listed)
      const pools = await pricings.priceNewest(readings, block)
      faultyFeeds = listFaultyFeeds(pools, block.timestampSeconds)
      return pools
    },
    /** Replaces the schedule of a feed from the next block on. Undefined restores the schedule of the deployment. */
    replaceSchedule: feedTerms.replaceSchedule,
    /** Stops reading unreadable pools. */
    stop: unreadable.stop,
  }
}

export declare namespace createPoolReader {
  type Dependencies = {
    /** The pools to read. */
    readonly addresses: readonly Address[]
    readonly reader: Reader
    /** Reads the metadata of tokens, and how pools are priced. */
    readonly facts: FactReader
    /** Facts about the feeds. */
    readonly feeds?: Feeds | undefined
    /** Returns whether unconfirmed decisions about pools are made again at a block; never by default. */
    readonly isSampled?: (() => boolean) | undefined
    /** Called when a pool becomes unreadable or readable, and once at the start for an address that is listed twice. */
    readonly onPool?: ((report: PoolReport) => void) | undefined
  }
}

/** Reads the states of pools. */
export interface PoolReader extends ReturnType<typeof createPoolReader> {}

/** A feed because of which pools refuse to convert, although its price is not old. */
export type FaultyFeed = {
  readonly feed: Address
  readonly reason: Exclude<PriceFault.Reason, 'age'>
}

function listFaultyFeeds(pools: readonly Pool.Pool[], nowSeconds: bigint): readonly FaultyFeed[] {
  const byFeed = new Map<Address, FaultyFeed>()
  for (const { price } of pools.flatMap(({ base, quote }) => [base, quote])) {
    const fault = OraclePrice.findFault(price, nowSeconds)
    // The price of a closed market is old every weekend.
    if (fault && fault.reason !== 'age') byFeed.set(fault.feed, { feed: fault.feed, reason: fault.reason })
  }
  return [...byFeed.values()]
}

function listRepeated(addresses: readonly Address[]): ReadonlySet<Address> {
  return new Set(addresses.filter((address, index) => addresses.indexOf(address) !== index))
}

function filterReadable(readings: ReadonlyMap<Address, PoolReading | string>): readonly PoolReading[] {
  return [...readings.values()].flatMap((reading) => (typeof reading === 'string' ? [] : [reading]))
}

// This bound keeps the error message short for any deployment.
const maxNamed = 10

function assertAnyReadable(readings: readonly PoolReading[], listed: readonly Address[]): readonly PoolReading[] {
  if (readings.length > 0) return readings
  const others = listed.length > maxNamed ? ` and ${listed.length - maxNamed} others` : ''
  const names = `${listed.slice(0, maxNamed).join(', ')}${others}`
  throw Errors.upstreamError({ action: 'read any pool of the deployment', reason: `none of ${names} is readable` })
}

function ignore(): void {}

const recheckMs = 5000

/** Holds the pools of the deployment that cannot be read, and reads them every five seconds until they are readable. */
function createUnreadablePools({ recheck, onPool }: UnreadableOptions) {
  const flaws = new Map<Address, string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  function schedule(): void {
    if (flaws.size > 0 && !isStopped) timer ??= setTimeout(() => void recheckAll(), recheckMs)
  }
  async function recheckAll(): Promise<void> {
    // If no node answers, the state of the pools is unknown.
    await recheck([...flaws.keys()]).catch(() => {})
    timer = undefined
    schedule()
  }
  return {
    has: (pool: Address) => flaws.has(pool),
    /** Returns the unreadable pools, in the order in which they were found. */
    list: (): readonly Address[] => [...flaws.keys()],
    /** Records the outcome of a read: the reason why the pool cannot be read, or undefined if it can be read. */
    record(pool: Address, flaw: string | undefined): void {
      if (flaw === undefined && flaws.delete(pool)) onPool?.({ pool, state: 'readable' })
      if (flaw === undefined || flaws.has(pool)) return
      flaws.set(pool, flaw)
      onPool?.({ pool, state: 'unreadable', flaw })
      schedule()
    },
    /** Stops the reads. */
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

type UnreadableOptions = Pick<createPoolReader.Dependencies, 'onPool'> & {
  /** Reads pools at the newest block, and records the outcome of each read. */
  readonly recheck: (pools: readonly Address[]) => Promise<void>
}

/** A change of a pool of the deployment. */
export type PoolReport = {
  readonly pool: Address
  /**
   * A `repeated` pool is listed twice in the deployment, and is served once. The views of a `disproven` pool differ from
   * the curve that the pool returns. These views price the pool until the process ends.
   */
  readonly state: 'unreadable' | 'readable' | 'repeated' | 'disproven'
  /** Why the pool cannot be read. */
  readonly flaw?: string | undefined
}

/**
 * Determines how each pool is priced, and proves at each block that we compute the pool's curve correctly.
 *
 * A ladder of a pool's own views is compared with our maths and with the curve of its family. This happens once for each pair
 * of code and parameters, at all healthy nodes. A pool that is priced by its curve is probed at every later block. If its view
 * disagrees, the pool is priced by its views, until the process ends if two nodes confirm it or the chain has one node.
 */
function createPricings({ toPool, isSampled, ...dependencies }: PricingDependencies) {
  const decisions = createDecisions(dependencies)
  const newest = new Map<Address, { readonly isProbed: boolean; readonly pool: Pool.Pool }>()

  function toProbe(pool: Address, blockHash: Hex): Probe {
    const last = newest.get(pool)
    return last?.isProbed === false ? withoutProbe(pool) : chooseProbe(pool, blockHash, last?.pool)
  }
  function priceOne(reading: PoolReading, verdict = judgeReading(reading)): Pool.Pool {
    const isGloballyFrozen = verdict === 'frozen'
    const pricing = decisions.find(reading.raw) ?? 'on-chain'
    if (pricing !== 'curve') return toPool(reading, { pricing, isGloballyFrozen })
    // Without a readable price, the curve cannot be computed.
    const isProven = verdict === 'agrees' || verdict === 'frozen'
    const curve = toCurveState(reading.raw, reading.curve)
    return toPool(reading, isProven ? { pricing, curve, isGloballyFrozen } : { pricing: 'on-chain' })
  }
  return {
    /** Lists the pools whose views differ from the curve that they return. */
    listDisproven: decisions.listDisproven,
    /** Returns the probe of a pool at a block, or an empty probe for a pool that its curve does not price. */
    toProbe,
    /**
     * Prices the pools of an earlier block, after a comparison of new pools with our maths. A probe that disagrees affects
     * only that block.
     */
    async price(readings: readonly PoolReading[], block: ProbedBlock): Promise<readonly Pool.Pool[]> {
      await decisions.decide(readings, block)
      return readings.map((reading) => priceOne(reading))
    },
    /**
     * Prices the pools of the newest block. A pool is disproven if its probe disagrees at two nodes, or at the only node of the
     * chain.
     */
    async priceNewest(readings: readonly PoolReading[], block: ProbedBlock): Promise<readonly Pool.Pool[]> {
      if (isSampled()) decisions.reconsider(readings, block)
      await decisions.decide(readings, block)
      const verdicts = readings.map(judgeReading)
      const disagreements = readings
        .filter(({ raw }, index) => decisions.find(raw) === 'curve' && verdicts[index] === 'disagrees')
        .map((reading) => ({ reading, probe: toProbe(reading.raw.pool, block.hash) }))
      await decisions.disprove(disagreements, block)
      return readings.map((reading, index) => {
        const pool = priceOne(reading, verdicts[index])
        const pricing = decisions.find(reading.raw)
        newest.set(pool.address, { pool, isProbed: pricing === undefined || pricing === 'curve' })
        return pool
      })
    },
  }
}

type PricingDependencies = createDecisions.Dependencies & {
  readonly toPool: (reading: PoolReading, terms: PricingTerms) => Pool.Pool
  /** Returns whether unconfirmed decisions are made again at a block. */
  readonly isSampled: () => boolean
}
