import { type Address, Hop, type Token, Pool, ServiceError } from '@agio/core'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import type { Heads } from '../head/createHeads.ts'
import { classifyError } from '../errors/classifyError.ts'
import type { Prefetch, PrefetchOutcome } from '../head/createPublishedHead.ts'
import { isSameHead, type Head } from '../head/Head.ts'
import type { PoolReader } from './createPoolReader.ts'

/** Reads the deployment's pools once per block, at any load: all requests at one block share one read. */
export function createSnapshots({ poolReader, heads }: createSnapshots.Dependencies) {
  const { tokens, disputedTokens } = poolReader
  const reads = createSharedReads(async (block) => toSnapshot(block, await poolReader.readAndProbe(block)))

  function toSnapshot(block: Head, pools: Snapshot['pools']): Snapshot {
    return { block, pools, unreadablePools: poolReader.listUnreadable(), tokens, disputedTokens }
  }

  const findAt = (block: Head) => reads.find((read) => isSameHead(read, block))

  async function getNewest(block: Head): Promise<Snapshot> {
    return await reads.share(block).catch(async (error: unknown) => {
      const failure = toUpstreamError(error)
      if (failure.code !== 'svc/upstream-error') throw failure
      // The nodes answered, but a reorganisation may have replaced the block, or no node has it.
      const current = await (isUnreadable(error) ? heads.replace(block) : heads.refresh())
      if (current.hash === block.hash) throw failure
      return await reads.share(current).catch(rethrowUpstream)
    })
  }
  return {
    /** The tokens read so far, by address. */
    tokens,
    /**
     * Reads the pools at the first head, and at each new head if the pools at the published head were read. A failed read
     * is retried on the next request.
     */
    prefetch(block: Head, published: Head | undefined): ReturnType<Prefetch> {
      // If the pools at the published head were not read, requests have to wait for a read in any case. The new head is
      // then published at once.
      if (published && !findAt(published)) return undefined
      return reads.share(block).then(() => ({}), toOutcome)
    },
    /** Returns the pools at the newest block, at once if they were read before. @throws `svc/upstream-*` */
    get(): Snapshot | Promise<Snapshot> {
      const block = heads.get()
      if (block instanceof Promise) return block.then(getNewest)
      return findAt(block) ?? getNewest(block)
    },
    /** Reads the newest block from a node now, and returns the pools at that block. @throws `svc/upstream-*` */
    async refresh(): Promise<Snapshot> {
      return await reads.share(await heads.refresh()).catch(rethrowUpstream)
    },
    /** Returns the pools at the newest block that was read; none before the first read. */
    findPools: () => reads.find(() => true)?.pools ?? [],
    /**
     * Returns the error of a stale price of the pool that converts one token into another, or of the pools that hold one of
     * them if none does, at the newest block that was read; undefined if no price is stale.
     */
    findStalePrice(tokenIn: Address, tokenOut: Address): ServiceError | undefined {
      const newest = reads.find(() => true)
      return newest && findStalePrice(newest, tokenIn, tokenOut)
    },
    /**
     * Returns the pools at an earlier block, from memory if the block is one of the last two.
     *
     * @throws `svc/upstream-*`
     */
    async getAt({ number, hash }: Pick<Head, 'number' | 'hash'>): Promise<Snapshot> {
      const read = reads.find((block) => block.hash === hash)
      if (read) return read
      const { timestampSeconds, pools } = await poolReader.read(hash).catch(rethrowUpstream)
      return toSnapshot({ number, hash, timestampSeconds }, pools)
    },
  }
}

export declare namespace createSnapshots {
  type Dependencies = {
    readonly poolReader: Omit<PoolReader, 'stop'>
    readonly heads: Pick<Heads, 'get' | 'refresh' | 'replace'>
  }
}

/** Reads and keeps the states of all pools at recent blocks. */
export interface Snapshots extends ReturnType<typeof createSnapshots> {}

function findStalePrice({ block, pools }: Snapshot, tokenIn: Address, tokenOut: Address): ServiceError | undefined {
  const direct = Pool.findByTokens(pools, tokenIn, tokenOut)
  const holds = (side: Pool.Side) => side.token.address === tokenIn || side.token.address === tokenOut
  const sides = (direct ? [direct] : pools).flatMap(({ base, quote }) =>
    [base, quote].some(holds) ? [base, quote] : [],
  )
  const errors = sides.map((side) => Hop.findPriceError(side, block.timestampSeconds))
  return errors.find((error) => error?.code === 'svc/stale-price')
}

function createSharedReads(read: (block: Head) => Promise<Snapshot>) {
  let newest: { block: Head; reading: Promise<Snapshot> } | undefined
  // Two snapshots are kept, because the head of the latest snapshot may not be published yet.
  let [latest, previous]: (Snapshot | undefined)[] = []
  return {
    /** Returns the snapshot at a block. All callers share one read until another block is read. */
    share(block: Head): Promise<Snapshot> {
      if (newest && isSameHead(newest.block, block)) return newest.reading
      const reading = read(block)
      const share = { block, reading }
      newest = share
      reading.then(
        // Kept even if another read has begun: the head of this snapshot is published if that read fails.
        (snapshot) => ([latest, previous] = [snapshot, latest?.block.hash === block.hash ? previous : latest]),
        // A failed read is retried on the next request.
        () => (newest = newest === share ? undefined : newest),
      )
      return reading
    },
    /** Returns the snapshot whose block matches, if it is one of the last two that were read. */
    find: (matches: (block: Head) => boolean) =>
      [latest, previous].find((snapshot) => snapshot && matches(snapshot.block)),
  }
}

/** Returns whether the nodes report that they do not have the state of a block. */
function isUnreadable(error: unknown): boolean {
  return classifyError(error instanceof ServiceError ? error.cause : error, 'eth_call').lacksState
}

function toOutcome(failure: unknown): PrefetchOutcome {
  const error = toUpstreamError(failure)
  // An error without a cause means that the nodes have the state, but no pool of the deployment is readable.
  if (error.code === 'svc/upstream-error' && error.cause === undefined) return {}
  return { error, isUnreadable: isUnreadable(failure) }
}

/** Every readable pool of the deployment at one block. */
export type Snapshot = {
  readonly block: Head
  readonly pools: readonly Pool.Pool[]
  /** The pools of the deployment that could not be read. */
  readonly unreadablePools: readonly Address[]
  /** The tokens of the pools, by address. */
  readonly tokens: ReadonlyMap<Address, Token>
  /** The tokens about which the nodes disagree. Their pools are unreadable. */
  readonly disputedTokens: ReadonlySet<Address>
}
