import { ServiceError, type Address, type OraclePrice, type PoolState, type Pricing, type Token } from '@agio/core'
import { zeroAddress, type Hex } from 'viem'
import type { Deployment } from '../deployment/Deployment.ts'
import type { Heads } from '../head/createHeads.ts'
import type { Prefetch } from '../head/createPublishedHead.ts'
import type { Head } from '../head/Head.ts'
import type { RawPoolState, Reader } from '../reader/createReader.ts'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import { readTokens } from '../token/readTokens.ts'
import { probePools } from './probePools.ts'
import type { Snapshot } from './Snapshot.ts'

/**
 * Reads the deployment's pools once per block, whatever the load: all who ask at one block share one call to the node.
 *
 * Token metadata is read when a token is first seen, and each pool is probed when its code and curve are first seen.
 */
export function createSnapshots({ deployment, reader, heads }: createSnapshots.Settings): Snapshots {
  const tokens = new Map<Address, Token>()
  const pricings = new Map<string, Pricing>()
  let newest: { hash: Hex; reading: Promise<Snapshot> } | undefined
  // The last one that was read, which may not be shown yet, and the one before it.
  let [known, previous]: (Snapshot | undefined)[] = []

  // Our maths has no penalty: who says that it takes one need not be probed.
  const findPricing = (state: RawPoolState) => (hasPenalty(state) ? 'on-chain' : pricings.get(keyOf(state)))

  async function readStates(hash: Hex) {
    const { timestampSeconds, states } = await reader.poolStates(deployment.pools, hash)
    await learnTokens(states, hash)
    const pools = states.map((state) => toPoolState(state, tokens, findPricing(state) ?? 'on-chain'))
    return { timestampSeconds, states, pools }
  }
  async function readNewest(block: Head): Promise<Snapshot> {
    const { states, pools } = await readStates(block.hash)
    const unknown = new Set(states.filter((state) => !findPricing(state)).map(({ pool }) => pool))
    const unprobed = pools.filter(({ address }) => unknown.has(address))
    if (unprobed.length === 0) return { block, pools, tokens }
    const probed = await probePools(reader, unprobed, block)
    for (const state of states) {
      const pricing = probed.get(state.pool)
      if (pricing) pricings.set(keyOf(state), pricing)
    }
    return {
      block,
      pools: pools.map((pool) => ({ ...pool, pricing: probed.get(pool.address) ?? pool.pricing })),
      tokens,
    }
  }
  function shareNewest(block: Head): Promise<Snapshot> {
    if (newest?.hash === block.hash) return newest.reading
    const reading = readNewest(block)
    const share = { hash: block.hash, reading }
    newest = share
    reading.then(
      (snapshot) => ([known, previous] = newest === share ? [snapshot, known] : [known, previous]),
      // A failed read is not kept: the next one who asks tries again.
      () => (newest = newest === share ? undefined : newest),
    )
    return reading
  }
  function findRead({ hash }: Pick<Head, 'hash'>): Snapshot | undefined {
    if (known?.block.hash === hash) return known
    return previous?.block.hash === hash ? previous : undefined
  }
  async function getNewest(block: Head): Promise<Snapshot> {
    return await shareNewest(block).catch(async (error: unknown) => {
      const failure = toUpstreamError(error)
      if (failure.code !== 'svc/upstream-error') throw failure
      // The node answered, and may know the block no more: a reorg put another one in its place.
      const current = await heads.refresh()
      if (current.hash === block.hash) throw failure
      return await shareNewest(current).catch(rethrowUpstream)
    })
  }
  async function learnTokens(raw: readonly RawPoolState[], hash: Hex): Promise<void> {
    const unknown = new Set(raw.flatMap(({ base, quote }) => [base, quote]).filter((address) => !tokens.has(address)))
    if (unknown.has(zeroAddress)) throw noPools()
    if (unknown.size === 0) return
    for (const token of await readTokens(reader, [...unknown], hash)) tokens.set(token.address, token)
  }
  return {
    tokens,
    prefetch(block, published) {
      // Where the shown head was not read yet, who asked for it is waiting: the new one is as good to them.
      if (published && !findRead(published)) return undefined
      return shareNewest(block).then(ignore, ignore)
    },
    get() {
      const block = heads.get()
      if (block instanceof Promise) return block.then(getNewest)
      return findRead(block) ?? getNewest(block)
    },
    async refresh() {
      return await shareNewest(await heads.refresh()).catch(rethrowUpstream)
    },
    async getAt({ number, hash }) {
      const read = findRead({ hash })
      if (read) return read
      const { timestampSeconds, pools } = await readStates(hash).catch(rethrowUpstream)
      return { block: { number, hash, timestampSeconds }, pools, tokens }
    },
  }
}

export declare namespace createSnapshots {
  type Settings = {
    readonly deployment: Deployment
    readonly reader: Reader
    readonly heads: Heads
  }
}

export type Snapshots = {
  /** The tokens seen so far, by address. */
  readonly tokens: ReadonlyMap<Address, Token>
  /** Reads the pools at the first block and at each new one before it is shown, if those at the shown one were read. A failure is for who asks next. */
  readonly prefetch: Prefetch
  /** The pools at the newest block; at once if they were read already. @throws `svc/upstream-*` */
  get(): Snapshot | Promise<Snapshot>
  /** The pools at the newest block, for which a node is asked now. @throws `svc/upstream-*` */
  refresh(): Promise<Snapshot>
  /** The pools at an earlier block, read anew but for the last two. @throws `svc/upstream-*` */
  getAt(block: Pick<Head, 'number' | 'hash'>): Promise<Snapshot>
}

function ignore(): void {}

function hasPenalty({ beta, delta, lambda }: RawPoolState): boolean {
  return beta + delta + lambda > 0n
}

// The maths that fits is a matter of a pool's code and of its parameters.
function keyOf(raw: RawPoolState): string {
  return [raw.pool, raw.codeHash, raw.alpha, raw.beta, raw.delta, raw.epsilon, raw.lambda].join()
}

function toPoolState(raw: RawPoolState, tokens: ReadonlyMap<Address, Token>, pricing: Pricing): PoolState {
  const [base, quote] = [tokens.get(raw.base), tokens.get(raw.quote)]
  if (!base || !quote) throw noPools()
  return {
    address: raw.pool,
    base: { token: base, reserve: raw.baseReserve, price: toPrice(raw.basePrice) },
    quote: { token: quote, reserve: raw.quoteReserve, price: toPrice(raw.quotePrice) },
    totalSupply: raw.totalSupply,
    alpha: raw.alpha,
    epsilon: raw.epsilon,
    frozen: raw.frozen,
    pricing,
  }
}

function toPrice(raw: RawPoolState['basePrice']): OraclePrice {
  return {
    oracle: raw.oracle === zeroAddress ? null : raw.oracle,
    answer: raw.answer,
    updatedAtSeconds: raw.updatedAt,
    maxAgeSeconds: raw.maxAge,
  }
}

function noPools(): ServiceError {
  return new ServiceError(
    'svc/upstream-error',
    'Cannot read the pools: the chain has none at the addresses of the deployment',
    {},
  )
}
