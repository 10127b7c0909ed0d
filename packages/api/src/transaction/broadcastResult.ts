import type { Chain, Receipt } from '@agio/chain'
import type { Hex } from 'viem'
import { z } from 'zod'
import { integerText } from '../schema/fields.ts'

/** Why a mined transaction reverted. */
export const failure = z
  .object({
    code: z.string(),
    message: z.string(),
    revert: z.object({ name: z.string(), args: z.array(z.string()) }),
  })
  .meta({ id: 'TransactionFailure' })

/** What became of a transaction; what a pending one does not know yet is absent. */
export const broadcastResult = z
  .object({
    transactionHash: z.string(),
    status: z.enum(['pending', 'success', 'failed']),
    blockNumber: z.int().optional(),
    gasUsed: integerText.optional(),
    failure: failure.optional(),
  })
  .meta({ id: 'BroadcastResult' })

/** Writes what became of a transaction, and why if it failed. */
export async function toBroadcastResult(
  chain: Chain,
  hash: Hex,
  receipt: Receipt | undefined,
): Promise<z.output<typeof broadcastResult>> {
  if (!receipt) return { transactionHash: hash, status: 'pending' }
  const reason = receipt.status === 'failed' ? await chain.findFailure(hash, receipt) : undefined
  return {
    transactionHash: hash,
    status: receipt.status,
    blockNumber: Number(receipt.blockNumber),
    gasUsed: receipt.gasUsed.toString(),
    ...(reason && { failure: { ...reason, revert: { ...reason.revert, args: [...reason.revert.args] } } }),
  }
}
