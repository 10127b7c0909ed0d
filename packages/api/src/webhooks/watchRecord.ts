import { TransactionState } from '@agio/core'
import type { WatchRecord } from '@agio/store'
import { z } from 'zod'
import { chainIdOut, timestamp, transactionHashOut } from '../schema/fields.ts'
import { toPublicStatus } from './watchState.ts'

const timeExample = '2026-11-21T05:00:00.000Z'

/** A transaction that a key follows, in a response. */
export const watchRecord = z
  .object({
    chainId: chainIdOut,
    transactionHash: transactionHashOut,
    status: z
      .enum(TransactionState.statuses)
      .optional()
      .meta({ description: 'Last observed state. Absent until a node has the transaction', example: 'included' }),
    createdAt: timestamp.meta({ description: 'Time from which the transaction is followed', example: timeExample }),
    endedAt: timestamp.optional().meta({
      description:
        'Time from which the transaction is no longer followed, because its state is final or a week has passed',
      example: timeExample,
    }),
  })
  .meta({ id: 'WatchedTransaction', description: 'A transaction that an API key follows' })

/** Returns a followed transaction in the form of a response. */
export function toWatch({ chainId, transactionHash, state, createdAt, endedAt }: WatchRecord) {
  const status = toPublicStatus(state)
  return {
    chainId,
    transactionHash,
    ...(status && { status }),
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  } satisfies z.input<typeof watchRecord>
}
