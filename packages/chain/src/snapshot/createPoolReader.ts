import { ServiceError, type Address, type OraclePrice, type PoolState, type Pricing, type Token } from '@agio/core'
import { zeroAddress } from 'viem'
import type { Feeds } from '../deployment/Deployment.ts'
import type { Head } from '../head/Head.ts'
import type { BlockAt, RawPoolState, Reader } from '../reader/createReader.ts'
import { createUnreadablePools, type PoolReport } from './createUnreadablePools.ts'
import { probePools } from './probePools.ts'
import { readPoolStates, type PoolReading } from './readPoolStates.ts'

/**
 * Reads pools at a block. A token's metadata is read once, and a pool is probed once for each code and curve that it has. A
 * pool that cannot be read does not affect the others.
 */
export function createPoolReader({ addresses, reader, feeds = {}, onPool }: createPoolReader.Settings): PoolReader {
  const tokens = new Map<Address, Token>()
  const pricings = new Map<string, Pricing>()
  const listed = [...new Set(addresses)]
  for (const pool of listRepeated(addresses)) onPool?.({ pool, state: 'repeated' })
  const unreadable = createUnreadablePools({ recheck: (pools) => readAndRecord(pools, 'latest').then(ignore), onPool })

  // Our maths has no penalty: a pool that charges one needs no probe.
  const findPricing = (raw: RawPoolState) => (hasPenalty(raw) ? 'on-chain' : pricings.get(keyOf(raw)))

  /** The readable pools of the deployment; all of them while none is, since no other read would find one. */
  function listReadable(): readonly Address[] {
    const readable = listed.filter((pool) => !unreadable.has(pool))
    return readable.length > 0 ? readable : listed
  }
  async function readAndRecord(pools: readonly Address[], at: BlockAt): Promise<readonly PoolReading[]> {
    const { readings } = await readPoolStates(reader, pools, { at, tokens })
    for (const [pool, reading] of readings) unreadable.record(pool, typeof reading === 'string' ? reading : undefined)
    return listRead(readings)
  }
  async function probe(readings: readonly PoolReading[], block: StateAt): Promise<void> {
    const unprobed = readings.filter(({ raw }) => !findPricing(raw))
    if (unprobed.length === 0) return
    // The view that a pool is compared with enforces the pool's own ages.
    const pools = unprobed.map((reading) =>
      toPoolState(reading, { pricing: 'on-chain', toMaxAge: ({ maxAge }) => maxAge }),
    )
    const probed = await probePools(reader, pools, block)
    for (const { raw } of unprobed) {
      const pricing = probed.get(raw.pool)
      if (pricing) pricings.set(keyOf(raw), pricing)
    }
  }
  const toPool = (reading: PoolReading) =>
    toPoolState(reading, {
      pricing: findPricing(reading.raw) ?? 'on-chain',
      toMaxAge: (price) => toMaxAge(price, feeds),
    })
  return {
    tokens,
    listUnreadable: unreadable.list,
    async read(hash) {
      const states = await readPoolStates(reader, listReadable(), { at: hash, tokens })
      const { timestampSeconds } = states
      const readings = assertSome(listRead(states.readings), listed)
      await probe(readings, { hash, timestampSeconds })
      return { timestampSeconds, pools: readings.map(toPool) }
    },
    async readAndProbe(block) {
      const readings = assertSome(await readAndRecord(listReadable(), block.hash), listed)
      await probe(readings, block)
      return readings.map(toPool)
    },
    stop: unreadable.stop,
  }
}

export declare namespace createPoolReader {
  type Settings = {
    /** The pools to read. */
    readonly addresses: readonly Address[]
    readonly reader: Reader
    /** The maximum ages of the feeds' prices. */
    readonly feeds?: Feeds | undefined
    /** Called when a pool becomes unreadable or readable, and at once for an address that is listed twice. */
    readonly onPool?: ((report: PoolReport) => void) | undefined
  }
}

export type PoolReader = {
  /** The tokens seen so far, by address. */
  readonly tokens: ReadonlyMap<Address, Token>
  /** The pools that could not be read when they were last read, from memory. */
  listUnreadable(): readonly Address[]
  /**
   * The readable pools at an earlier block, and that block's time. A pool that was not probed yet, as one whose price is stale
   * now, is probed there. Pools that cannot be read there may be readable now.
   *
   * @throws `svc/upstream-error` that names the pools if none is readable
   */
  read(hash: Head['hash']): Promise<{ readonly timestampSeconds: bigint; readonly pools: readonly PoolState[] }>
  /** The readable pools at the newest block, each of which is probed if it was not yet. @throws what `read` throws */
  readAndProbe(block: Head): Promise<readonly PoolState[]>
  /** Ends the reads of unreadable pools. */
  stop(): void
}

type StateAt = Pick<Head, 'hash' | 'timestampSeconds'>

function listRepeated(addresses: readonly Address[]): ReadonlySet<Address> {
  return new Set(addresses.filter((address, index) => addresses.indexOf(address) !== index))
}

function listRead(readings: ReadonlyMap<Address, PoolReading | string>): readonly PoolReading[] {
  return [...readings.values()].flatMap((reading) => (typeof reading === 'string' ? [] : [reading]))
}

function hasPenalty({ beta, delta, lambda }: RawPoolState): boolean {
  return beta + delta + lambda > 0n
}

// A pool's code and parameters determine whether our maths fits it.
function keyOf(raw: RawPoolState): string {
  return [raw.pool, raw.codeHash, raw.alpha, raw.beta, raw.delta, raw.epsilon, raw.lambda].join()
}

const defaultMaxAgeSeconds = 3600

/** The maximum age of a price in seconds: that of its feed, or that which the pool enforces if it is smaller. */
function toMaxAge({ oracle, maxAge }: RawPrice, feeds: Feeds): bigint {
  const ofFeed = BigInt(feeds[oracle]?.maxAgeSeconds ?? defaultMaxAgeSeconds)
  return maxAge < ofFeed ? maxAge : ofFeed
}

type Terms = { readonly pricing: Pricing; readonly toMaxAge: (price: RawPrice) => bigint }

type RawPrice = RawPoolState['basePrice']

function toPoolState({ raw, base, quote }: PoolReading, terms: Terms): PoolState {
  return {
    address: raw.pool,
    base: { token: base, reserve: raw.baseReserve, price: toPrice(raw.basePrice, terms) },
    quote: { token: quote, reserve: raw.quoteReserve, price: toPrice(raw.quotePrice, terms) },
    totalSupply: raw.totalSupply,
    alpha: raw.alpha,
    epsilon: raw.epsilon,
    frozen: raw.frozen,
    pricing: terms.pricing,
  }
}

function toPrice(raw: RawPrice, terms: Terms): OraclePrice {
  return {
    oracle: raw.oracle === zeroAddress ? null : raw.oracle,
    answer: raw.answer,
    updatedAtSeconds: raw.updatedAt,
    maxAgeSeconds: terms.toMaxAge(raw),
  }
}

// An error message stays short, whatever the deployment lists.
const maxNamed = 10

function assertSome(readings: readonly PoolReading[], listed: readonly Address[]): readonly PoolReading[] {
  if (readings.length > 0) return readings
  const others = listed.length > maxNamed ? ` and ${listed.length - maxNamed} others` : ''
  const names = `${listed.slice(0, maxNamed).join(', ')}${others}`
  throw new ServiceError(
    'svc/upstream-error',
    `Cannot read any pool of the deployment: none of ${names} is readable`,
    {},
  )
}

function ignore(): void {}
