import { z } from 'zod'
import { chainIdOrDefault } from '../schema/fields.ts'
import { getToken } from '../pools/snapshot.ts'
import { toUnsignedTransaction } from '../schema/transactions.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { approval, approvalFields, approvalTransaction, reasonFor } from './approvalResponse.ts'

const reason = 'Sets the allowance of this spender to zero.'

const revokeExample = {
  transaction: {
    ...approvalTransaction,
    data: approvalTransaction.data.replace('3b9aca00', '00000000'),
    gasLimit: '35000',
  },
  recommendation: { type: 'revoke' as const, reason },
}

/** Builds an unsigned revocation of an approval. */
export const revoke = procedure
  .meta({
    scope: 'build',
    openapi: rest('POST /api/v1/approval/revoke', 'Approval', {
      operationId: 'buildRevocation',
      summary: 'Build an unsigned revocation',
      description: 'Returns an approval of zero for the wallet to sign.',
    }),
    errors: ['svc/unsupported-token', 'svc/token-paused', 'svc/reverted'],
  })
  .input(z.strictObject({ chainId: chainIdOrDefault, ...approvalFields }))
  .output(approval.meta({ example: revokeExample }))
  .query(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const token = getToken(await chain.pools.getSnapshot(), input.tokenAddress, 'tokenAddress')
    const built = await chain.approvals.build({ token: token.address, spender: input.spenderAddress, amountRaw: 0n })
    return {
      transaction: toUnsignedTransaction(built, input.chainId),
      recommendation: {
        type: 'revoke' as const,
        reason: reasonFor(reason, input.spenderAddress, chain),
      },
    }
  })
