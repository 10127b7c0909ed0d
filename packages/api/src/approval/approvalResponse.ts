import { z } from 'zod'
import { unsignedTransaction } from '../schema/unsignedTransaction.ts'

/** An unsigned approval, and what to think of it. */
export const approval = z
  .object({
    transaction: unsignedTransaction,
    recommendation: z.object({ type: z.enum(['limited', 'unlimited', 'revoke']), reason: z.string() }),
  })
  .meta({ id: 'Approval' })

/** Adds a warning to a reason if the spender is not the router, which alone needs an approval. */
export function reasonFor(reason: string, spender: string, router: string): string {
  return spender === router ? reason : `${reason} Warning: the spender is not the router ${router} of this network.`
}
