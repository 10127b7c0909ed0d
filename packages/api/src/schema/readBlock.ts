import type { ReadBlock } from '@agio/chain'
import { Timestamp } from '@agio/core'
import { blockNumber, blockTimestamp } from './fields.ts'

/** The block of a result that a node returned at its newest block. */
export const readBlockFields = {
  blockNumber: blockNumber.optional().meta({
    description:
      'Number of the block of the response. Absent if the reader of the deployment is an older version that does not return it',
    example: 59,
  }),
  blockTimestamp,
}

/** Returns the fields of the block that was read. */
export function toReadBlock({ number, timestampSeconds }: ReadBlock) {
  return {
    ...(number !== undefined && { blockNumber: Number(number) }),
    blockTimestamp: Timestamp.fromSeconds(timestampSeconds),
  }
}
