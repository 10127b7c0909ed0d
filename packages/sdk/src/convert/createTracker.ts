import type { TrackedTransaction } from '../api/schemas.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { toStage } from '../track/Stage.ts'
import type { SentRequest } from './ConversionState.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { Fate } from './createWatch.ts'

/**
 * Tracks a transaction by the service, which finds what took its nonce also where the wallet is on another chain, or its node has
 * no old states. The first response that has the transaction returns a cursor, by which a replacement is recognised after all nodes
 * have forgotten the hash.
 *
 * A service, or a proxy before it, that does not track leaves the fate unknown: the node of the wallet is watched too.
 */
export function createTracker(run: ConversionRun, sent: SentRequest): Tracker {
  const { service, state, options } = run
  const { transactionHash } = sent
  let { cursor } = sent
  let isAvailable = true

  return {
    readCursor: () => cursor,
    async look() {
      if (!isAvailable) return { kind: 'unknown' }
      try {
        const input = { chainId: state.chainId, transactionHash, ...(cursor !== undefined && { cursor }) }
        const tracked = await service.unretried.transaction.track.query(input, { signal: options.signal })
        cursor = tracked.cursor ?? cursor
        return toFate(run, tracked)
      } catch (error) {
        if (!isAgioError(error)) throw error
        isAvailable = error.retryable || error.code === 'svc/transaction-not-found'
        return { kind: 'unknown' }
      }
    },
  }
}

export type Tracker = {
  /** Returns what became of the transaction; `unknown` for an error of the service. */
  look(): Promise<Fate>
  /** The newest cursor; undefined until the service has had the transaction. */
  readCursor(): string | undefined
}

function toFate({ state }: ConversionRun, tracked: TrackedTransaction): Fate {
  const stage = toStage(tracked)
  if (stage.status === 'reorged') return { kind: 'pending' }
  if (stage.status !== 'replaced') return { kind: stage.status }
  // Of an account with code another one may send, with a nonce of its own.
  const isOwn = tracked.from?.toLowerCase() === state.account.toLowerCase()
  if (!isOwn || !stage.replacement?.kind) return { kind: 'unknown' }
  const { transactionHash, kind } = stage.replacement
  return kind === 'speed-up'
    ? { kind: 'sped-up', transactionHash }
    : { kind: 'replaced', by: transactionHash, as: kind }
}
