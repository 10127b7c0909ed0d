import { Amount } from '@agio/core'
import { z } from 'zod'
import {
  account,
  amount,
  amountOut,
  chainIdOrDefault,
  decimal,
  readBlockFields,
  toReadBlock,
} from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getToken } from '../pools/snapshot.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'
import { approvalFields } from './approvalResponse.ts'

/** Returns whether a wallet must approve a spender before it converts. */
export const check = procedure
  .meta({
    scope: 'build',
    openapi: rest('POST /api/v1/approval/check', 'Approval', {
      operationId: 'checkApproval',
      summary: 'Check an allowance',
      description: 'Returns the allowance of a spender, and whether it is lower than the required amount.',
    }),
    errors: ['svc/unsupported-token'],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      ...approvalFields,
      ownerAddress: account.meta({ description: 'Wallet that holds the tokens', example: localExamples.wallet }),
      requiredAmount: amount.describe('Amount that the spender must be allowed to take'),
    }),
  )
  .output(
    z
      .object({
        needsApproval: z.boolean().meta({ description: 'Whether the allowance is too low', example: true }),
        currentAllowance: decimal.meta({ description: 'Allowance of the spender', example: '0.000000' }),
        requiredAmount: amountOut.describe('Required amount, as requested'),
        ...readBlockFields,
      })
      .meta({ id: 'ApprovalCheck', description: 'The allowance of a spender' }),
  )
  .query(async ({ ctx, input }) => {
    const chain = getChain(ctx, input.chainId)
    const token = getToken(await chain.pools.getSnapshot(), input.tokenAddress, 'tokenAddress')
    const requiredRaw = Amount.parse(input.requiredAmount, token.decimals, 'requiredAmount')
    const { allowanceRaw, block } = await chain.approvals.readAllowance({
      token: token.address,
      owner: input.ownerAddress,
      spender: input.spenderAddress,
    })
    return {
      needsApproval: allowanceRaw < requiredRaw,
      currentAllowance: Amount.format(allowanceRaw, token.decimals),
      requiredAmount: input.requiredAmount,
      ...toReadBlock(block),
    }
  })
