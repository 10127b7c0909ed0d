import { findAgioError, toFinality, useAgio, useStream, type Finality } from '@agio/react/internal'
import type { ChainId, TrackedTransaction } from '@agio/sdk'
import { useRef, useState } from 'react'
import { useHealth } from './useHealth.ts'

/**
 * Follows a mined transaction until it is final. The stream sends transitions only: between them, the blocks of
 * the health count, which cost no calls.
 *
 * @param transaction undefined to follow nothing
 */
export function useFinality(transaction: Mined | undefined): FollowedFinality {
  const { reader } = useAgio()
  const [tracked, setTracked] = useState<TrackedTransaction>()
  const cursor = useRef<string>(undefined)
  const key = transaction && `transaction ${transaction.chainId} ${transaction.transactionHash}`
  const { failed } = useStream(
    key,
    (options) => {
      const { chainId, transactionHash } = transaction as Mined
      return reader.watchTransaction({ chainId, transactionHash, cursor: cursor.current }, options)
    },
    (value) => {
      cursor.current = value.cursor
      setTracked(value)
    },
  )
  const { data } = useHealth()
  const head = data?.health.chains.find(({ chainId }) => chainId === transaction?.chainId)?.blockNumber
  if (!tracked) return { finality: isUnknown(failed?.error) ? { kind: 'reorganised' } : undefined, block: undefined }
  const { finality: status = 'included', blockHash = 'none' } = tracked
  const own = transaction?.hasFailed === true && tracked.status === 'failed' ? { ...tracked, status } : tracked
  return { finality: countTo(head, own), block: blockHash }
}

type Mined = {
  readonly chainId: ChainId
  readonly transactionHash: `0x${string}`
  /** Whether the transaction had reverted. Default: it had succeeded. */
  readonly hasFailed?: boolean
}

type FollowedFinality = {
  /** Undefined until the state of the transaction is known. */
  readonly finality: Finality | undefined
  /** The hash of the block of the transaction, or `none`. Undefined until it is known. */
  readonly block: string | undefined
}

function countTo(head: number | undefined, tracked: TrackedTransaction): Finality {
  const { confirmations, blockNumber } = tracked
  if (!confirmations || blockNumber === undefined || head === undefined) return toFinality(tracked)
  const { required } = confirmations
  const count = Math.min(required, Math.max(confirmations.count, head - blockNumber + 1))
  return toFinality({ ...tracked, confirmations: { count, required } })
}

/** Whether no node has a transaction any more. */
function isUnknown(error: unknown): boolean {
  return findAgioError(error)?.code === 'svc/transaction-not-found'
}
