import type { TrackedTransaction } from '../api/schemas.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { toStage } from '../track/Stage.ts'
import type { SentRequest } from './ConversionState.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { Fate } from './createWatch.ts'

/**
 * Tracks a transaction through the service. The service finds the transaction that took its nonce even if the wallet is
 * on another chain or its node has no old states. The first response that has the transaction returns a cursor. The
 * cursor identifies a replacement after all nodes have forgotten the hash.
 *
 * If the service, or a proxy in front of it, does not offer tracking, the fate stays unknown. The node of the wallet is
 * polled as well.
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
  /** Returns the fate of the transaction, `unknown` for an error of the service. */
  look(): Promise<Fate>
  /** Returns the newest cursor, undefined until the service has found the transaction. */
  readCursor(): string | undefined
}

function toFate({ state }: ConversionRun, tracked: TrackedTransaction): Fate {
  const stage = toStage(tracked)
  if (stage.status === 'reorged') return { kind: 'pending' }
  if (stage.status !== 'replaced') return { kind: stage.status }
  // Another account may send for an account with code, with its own nonce.
  const isOwn = tracked.from?.toLowerCase() === state.account.toLowerCase()
  if (!isOwn || !stage.replacement?.kind) return { kind: 'unknown' }
  const { transactionHash, kind } = stage.replacement
  return kind === 'speed-up'
    ? { kind: 'sped-up', transactionHash }
    : { kind: 'replaced', by: transactionHash, as: kind }
}
