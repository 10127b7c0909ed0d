import { Network, type Address } from '@agio/core'
import { z } from 'zod'
import { account, address } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { unsignedTransaction } from '../schema/transactions.ts'

/** The fields that all approval requests share. */
export const approvalFields = {
  tokenAddress: address.meta({ description: 'Token of the allowance', example: localExamples.tAUD }),
  spenderAddress: account.meta({
    description:
      'Spender of the allowance: the `spender` of a quote. It is the router unless the quote converts in a given pool without the router',
    example: localExamples.router,
  }),
}

/** The effect of a limited approval. */
export const limitedReason = 'Approves exactly this amount. The spender cannot take more, even if it is compromised.'

/** The transaction of examples: it approves the router for 1,000 tAUD. */
export const approvalTransaction = {
  to: localExamples.tAUD,
  data: '0x095ea7b3000000000000000000000000825c5c30e86a1055b4c611fb6d779551d1e1b4de000000000000000000000000000000000000000000000000000000003b9aca00',
  value: '0',
  chainId: Network.defaultChainId,
  gasLimit: '55000',
}

/** An unsigned approval with a recommendation. */
export const approval = z
  .object({
    transaction: unsignedTransaction.meta({ description: 'Transaction to sign', example: approvalTransaction }),
    recommendation: z
      .object({
        type: z.enum(['limited', 'unlimited', 'revoke']).describe('Kind of the approval'),
        reason: z.string().meta({ description: 'Effect of the approval', example: limitedReason }),
      })
      .describe('Effect of the approval, as text for the user'),
  })
  .meta({ id: 'Approval', description: 'An unsigned approval' })

/**
 * Returns a reason for the user. Explains Permit2 if it is the spender. Adds a warning if the spender is neither
 * Permit2 nor the router, since only quotes for a single pool have another spender.
 */
export function reasonFor(reason: string, spender: Address, { deployment, permits }: reasonFor.Network): string {
  const { router, pools } = deployment
  if (spender === router) return reason
  if (spender === permits.permit2) return `${reason} ${permit2Purpose}`
  const exception = pools.includes(spender) ? ' It is a pool. Only a quote for this pool may need it.' : ''
  return `${reason} Warning: the spender is not the router ${router} of this network.${exception}`
}

export declare namespace reasonFor {
  type Network = {
    readonly deployment: { readonly router: Address; readonly pools: readonly Address[] }
    readonly permits: { readonly permit2: Address }
  }
}

const permit2Purpose =
  'The spender is Permit2, which moves your tokens only with your signature. Later quotes can then be paid by a signature, without another approval.'
