import type { Client } from '@agio/core'
import type { StreamChain } from './TopicSource.ts'

/** Shares each result that is read or computed at a block among all streams that need it. */
export function createSharedReads({ now = () => performance.now() }: Options = {}): SharedReads {
  const chains = new Map<number, { readonly hash: string; readonly reads: Map<string, Read> }>()

  function findRead({ chainId, heads }: StreamChain, { key, maxAgeMs = Infinity }: Shared): Read | undefined {
    const shared = chains.get(chainId)
    const cached = shared && shared.hash === heads.find()?.hash ? shared.reads.get(key) : undefined
    return cached && now() - cached.atMs < maxAgeMs ? cached : undefined
  }
  async function share<Result>(
    chain: StreamChain,
    { charge, ...options }: Shared,
    read: () => Promise<Result>,
  ): Promise<Result> {
    // The stream that causes a read is charged for it. A refused charge is not shared.
    if (charge && !findRead(chain, options)) await charge()
    const { chainId, heads } = chain
    const hash = heads.find()?.hash
    // Without a confirmed block, it is unknown how long a result is valid.
    if (hash === undefined) return await read()
    let shared = chains.get(chainId)
    if (shared?.hash !== hash) {
      shared = { hash, reads: new Map() }
      chains.set(chainId, shared)
    }
    const { reads } = shared
    const { key, client } = options
    const found = findRead(chain, options)
    if (found) {
      return await (found.reading as Promise<Result>).catch((error: unknown) => {
        if (!isGone(found.client) || isGone(client)) throw error
        return share(chain, { charge, ...options }, read)
      })
    }
    const entry: Read = { reading: read(), atMs: now(), client }
    reads.set(key, entry)
    // The next stream that needs the result repeats a failed read.
    entry.reading.catch(() => reads.get(key) === entry && reads.delete(key))
    return await (entry.reading as Promise<Result>)
  }
  return { share }
}

type Options = {
  /** The monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined
}

type Read = { readonly reading: Promise<unknown>; readonly atMs: number; readonly client: Client.Client | undefined }

function isGone(client: Client.Client | undefined): boolean {
  return client?.signal.aborted === true
}

/** Shares the reads of all streams. */
export type SharedReads = {
  /** Returns the result of a read at the newest block of a chain. Calls with the same key share one read. */
  share<Result>(chain: StreamChain, shared: Shared, read: () => Promise<Result>): Promise<Result>
}

type Shared = {
  readonly key: string
  /** The age above which the result is read again, if it may change without a block. Default: no limit. */
  readonly maxAgeMs?: number | undefined
  /** Charges the stream whose call causes the read. If it rejects, nothing is read. */
  readonly charge?: (() => Promise<void>) | undefined
  /** The client of the stream. If it disconnects and its read fails, a stream that shares the read reads again. */
  readonly client?: Client.Client | undefined
}
