import { Amount } from '@agio/core'
import { z } from 'zod'
import { account, address, amount, chainIdOrDefault, decimal } from '../schema/fields.ts'
import { getToken } from '../snapshot/getToken.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'

/** Tells whether a wallet must approve the spender before it converts. */
export const check = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/approval/check',
      tags: ['Approval'],
      summary: 'Is an approval needed?',
    },
    errors: ['svc/unsupported-token'],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      tokenAddress: address,
      ownerAddress: account,
      spenderAddress: account,
      requiredAmount: amount,
    }),
  )
  .output(z.object({ needsApproval: z.boolean(), currentAllowance: decimal, requiredAmount: z.string() }))
  .query(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const token = getToken(await chain.getSnapshot(), input.tokenAddress, 'tokenAddress')
    const requiredRaw = Amount.parse(input.requiredAmount, token.decimals, 'requiredAmount')
    const allowanceRaw = await chain.readAllowance({
      token: token.address,
      owner: input.ownerAddress,
      spender: input.spenderAddress,
    })
    return {
      needsApproval: allowanceRaw < requiredRaw,
      currentAllowance: Amount.format(allowanceRaw, token.decimals),
      requiredAmount: input.requiredAmount,
    }
  })
