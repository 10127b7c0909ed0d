import type { Address, Token } from '@agio/core'
import type { Hex } from 'viem'
import { rethrowUpstream, toUpstreamError } from '../errors/toUpstreamError.ts'
import type { Heads } from '../head/createHeads.ts'
import type { Prefetch } from '../head/createPublishedHead.ts'
import type { Head } from '../head/Head.ts'
import type { PoolReader } from './createPoolReader.ts'
import type { Snapshot } from './Snapshot.ts'

/** Reads the deployment's pools once per block, whatever the load: all requests at one block share one read. */
export function createSnapshots({ poolReader, heads }: createSnapshots.Settings): Snapshots {
  const { tokens } = poolReader
  let newest: { hash: Hex; reading: Promise<Snapshot> } | undefined
  // The last snapshot read, whose head may not be published yet, and the one before.
  let [latest, previous]: (Snapshot | undefined)[] = []

  async function readNewest(block: Head): Promise<Snapshot> {
    return { block, pools: await poolReader.readAndProbe(block), tokens }
  }
  function shareNewest(block: Head): Promise<Snapshot> {
    if (newest?.hash === block.hash) return newest.reading
    const reading = readNewest(block)
    const share = { hash: block.hash, reading }
    newest = share
    reading.then(
      (snapshot) => ([latest, previous] = newest === share ? [snapshot, latest] : [latest, previous]),
      // A failed read is retried on the next request.
      () => (newest = newest === share ? undefined : newest),
    )
    return reading
  }
  function findRead({ hash }: Pick<Head, 'hash'>): Snapshot | undefined {
    if (latest?.block.hash === hash) return latest
    return previous?.block.hash === hash ? previous : undefined
  }
  async function getNewest(block: Head): Promise<Snapshot> {
    return await shareNewest(block).catch(async (error: unknown) => {
      const failure = toUpstreamError(error)
      if (failure.code !== 'svc/upstream-error') throw failure
      // The node answered; a reorganisation may have replaced the block.
      const current = await heads.refresh()
      if (current.hash === block.hash) throw failure
      return await shareNewest(current).catch(rethrowUpstream)
    })
  }
  return {
    tokens,
    prefetch(block, published) {
      // If the published head was not read, requests wait for its data: the new head serves them as well.
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
      const { timestampSeconds, pools } = await poolReader.read(hash).catch(rethrowUpstream)
      return { block: { number, hash, timestampSeconds }, pools, tokens }
    },
  }
}

export declare namespace createSnapshots {
  type Settings = {
    readonly poolReader: PoolReader
    readonly heads: Pick<Heads, 'get' | 'refresh'>
  }
}

export type Snapshots = {
  /** The tokens seen so far, by address. */
  readonly tokens: ReadonlyMap<Address, Token>
  /** Reads the pools at the first head, and at each new head if those at the published one were read. A failed read is retried on the next request. */
  readonly prefetch: Prefetch
  /** The pools at the newest block, at once if they were read already. @throws `svc/upstream-*` */
  get(): Snapshot | Promise<Snapshot>
  /** The pools at the newest block, which is read from a node now. @throws `svc/upstream-*` */
  refresh(): Promise<Snapshot>
  /** The pools at an earlier block, read from a node unless it is one of the last two. @throws `svc/upstream-*` */
  getAt(block: Pick<Head, 'number' | 'hash'>): Promise<Snapshot>
}

function ignore(): void {}
