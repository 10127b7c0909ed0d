import { defaultChainId, type Address } from '@agio/core'
import { z } from 'zod'
import { account, address } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { unsignedTransaction } from '../schema/unsignedTransaction.ts'

/** The fields that all approval requests share. */
export const approvalFields = {
  tokenAddress: address.meta({ description: 'Token of the allowance', example: localExamples.tAUD }),
  spenderAddress: account.meta({
    description:
      'Spender of the allowance: the `spender` of a quote, which is the router unless the quote is for another pool',
    example: localExamples.router,
  }),
}

/** The effect of a limited approval. */
export const limitedReason = 'Approves exactly this amount: the spender can take no more, even if it is compromised.'

/** The transaction of examples: it approves the router for 1,000 tAUD. */
export const approvalTransaction = {
  to: localExamples.tAUD,
  data: '0x095ea7b30000000000000000000000008a791620dd6260079bf849dc5567adc3f2fdc318000000000000000000000000000000000000000000000000000000003b9aca00',
  value: '0',
  chainId: defaultChainId,
  gasLimit: '55000',
}

/** An unsigned approval with a recommendation. */
export const approval = z
  .object({
    transaction: unsignedTransaction.meta({ description: 'Transaction to sign', example: approvalTransaction }),
    recommendation: z
      .object({
        type: z.enum(['limited', 'unlimited', 'revoke']).meta({ description: 'Kind of the approval' }),
        reason: z.string().meta({ description: 'Effect of the approval', example: limitedReason }),
      })
      .meta({ description: 'What the approval does, for the user to read' }),
  })
  .meta({ id: 'Approval', description: 'An unsigned approval' })

/**
 * Returns a reason, with what Permit2 is for if that is the spender, and with a warning if the spender is neither it nor the
 * router: only quotes for a single pool have another one.
 */
export function reasonFor(reason: string, spender: Address, { deployment, permits }: reasonFor.Network): string {
  const { router, pools } = deployment
  if (spender === router) return reason
  if (spender === permits.permit2) return `${reason} ${permit2Purpose}`
  const exception = pools.includes(spender) ? ' It is a pool, which only a quote for this pool may need.' : ''
  return `${reason} Warning: the spender is not the router ${router} of this network.${exception}`
}

export declare namespace reasonFor {
  type Network = {
    readonly deployment: { readonly router: Address; readonly pools: readonly Address[] }
    readonly permits: { readonly permit2: Address }
  }
}

const permit2Purpose =
  'The spender is Permit2, which moves your tokens only by a signature of yours: with it a quote is paid without another approval.'
