import { z } from 'zod'
import { account, address, chainIdOrDefault } from '../schema/fields.ts'
import { getToken } from '../snapshot/getToken.ts'
import { toUnsignedTransaction } from '../schema/unsignedTransaction.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { approval, reasonFor } from './approvalResponse.ts'

/** Builds an unsigned revocation of an approval. */
export const revoke = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/approval/revoke',
      tags: ['Approval'],
      summary: 'Build an unsigned revocation',
    },
    errors: ['svc/unsupported-token', 'svc/reverted'],
  })
  .input(z.strictObject({ chainId: chainIdOrDefault, tokenAddress: address, spenderAddress: account }))
  .output(approval)
  .query(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const token = getToken(await chain.getSnapshot(), input.tokenAddress, 'tokenAddress')
    const built = await chain.buildApproval({ token: token.address, spender: input.spenderAddress, amountRaw: 0n })
    const reason = 'Takes every approval of this spender away.'
    return {
      transaction: toUnsignedTransaction(built, input.chainId),
      recommendation: {
        type: 'revoke' as const,
        reason: reasonFor(reason, input.spenderAddress, chain.deployment.router),
      },
    }
  })
