import { Amount } from '@agio/core'
import { maxUint256 } from 'viem'
import { z } from 'zod'
import { amount, chainIdOrDefault } from '../schema/fields.ts'
import { getToken } from '../pools/snapshot.ts'
import { toUnsignedTransaction } from '../schema/transactions.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { approval, approvalFields, limitedReason, reasonFor } from './approvalResponse.ts'

const reasons = {
  limited: limitedReason,
  unlimited:
    'Approves any amount, now and later. This saves transactions, but a compromised spender can take the whole balance.',
} as const

/** Builds an unsigned approval. */
export const build = procedure
  .meta({
    scope: 'build',
    openapi: rest('POST /api/v1/approval/build', 'Approval', {
      operationId: 'buildApproval',
      summary: 'Build an unsigned approval',
      description: 'Returns an approval for the wallet to sign, limited to an amount or unlimited.',
    }),
    errors: ['svc/unsupported-token', 'svc/token-paused', 'svc/reverted'],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      ...approvalFields,
      amount: amount.describe('Amount to approve. Required even if `isUnlimited` is true'),
      isUnlimited: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether to approve any amount, now and later', example: false }),
    }),
  )
  .output(approval)
  .query(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const token = getToken(await chain.pools.getSnapshot(), input.tokenAddress, 'tokenAddress')
    const limitedRaw = Amount.parse(input.amount, token.decimals, 'amount')
    const built = await chain.approvals.build({
      token: token.address,
      spender: input.spenderAddress,
      amountRaw: input.isUnlimited ? maxUint256 : limitedRaw,
    })
    const type = input.isUnlimited ? 'unlimited' : 'limited'
    return {
      transaction: toUnsignedTransaction(built, input.chainId),
      recommendation: { type, reason: reasonFor(reasons[type], input.spenderAddress, chain) },
    }
  })
