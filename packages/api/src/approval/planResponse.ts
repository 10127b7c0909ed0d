import { z } from 'zod'
import { addressOut, decimal } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { permitTerms } from '../schema/permit.ts'
import { readBlockFields } from '../schema/readBlock.ts'
import { typedData } from '../schema/typedData.ts'
import { unsignedTransaction } from '../schema/unsignedTransaction.ts'
import { walletTransaction } from '../schema/walletTransaction.ts'
import { approvalTransaction } from './approvalResponse.ts'

const transactionFields = {
  reason: z.string().meta({
    description: 'Why the step is needed, for the user to read',
    example: 'Approves the router for exactly 1000.000000 tAUD, as you prefer a transaction.',
  }),
  transaction: unsignedTransaction.meta({ description: 'Transaction to sign', example: approvalTransaction }),
  walletTransaction: walletTransaction.meta({
    description: 'The same transaction for `eth_sendTransaction` of a wallet',
  }),
}

const resetStep = z
  .object({ kind: z.literal('reset').meta({ description: 'Kind of the step' }), ...transactionFields })
  .meta({ id: 'ResetStep', description: 'An approval of zero, which the token demands before another amount' })

const approveStep = z
  .object({ kind: z.literal('approve').meta({ description: 'Kind of the step' }), ...transactionFields })
  .meta({ id: 'ApproveStep', description: 'An approval to sign and send' })

const transactionStep = z
  .discriminatedUnion('kind', [resetStep, approveStep])
  .meta({ id: 'TransactionStep', description: 'A transaction to sign and send, by `kind`' })

const fallback = z.array(transactionStep).meta({
  description:
    'Steps in the place of this one, should the wallet or the build refuse the signature: an approval, after a reset where the token demands it',
})

const signatureFields = {
  reason: z.string().meta({
    description: 'What the signature does, for the user to read',
    example:
      'Your signature takes the place of an approval: it lets the router take at most 1000.000000 tAUD, and the conversion carries it.',
  }),
  typedData,
  permit: permitTerms,
  fallback,
}

const permitStep = z
  .object({ kind: z.literal('permit').meta({ description: 'Kind of the step' }), ...signatureFields })
  .meta({ id: 'PermitStep', description: 'A permit by EIP-2612 to sign, which the conversion carries' })

const permit2Step = z
  .object({ kind: z.literal('permit2').meta({ description: 'Kind of the step' }), ...signatureFields })
  .meta({ id: 'Permit2Step', description: 'A transfer by Permit2 to sign, which pays the conversion of the quote' })

const step = z
  .discriminatedUnion('kind', [resetStep, approveStep, permitStep, permit2Step])
  .meta({ id: 'ApprovalStep', description: 'What a wallet has to sign, by `kind`' })

export type ApprovalStep = z.output<typeof step>

/** A step that is a transaction. */
export type TransactionStep = z.output<typeof transactionStep>

const transactionExample = {
  transaction: approvalTransaction,
  walletTransaction: {
    from: localExamples.wallet,
    to: approvalTransaction.to,
    data: approvalTransaction.data,
    value: '0x0',
    gas: '0xd6d8',
    maxFeePerGas: '0x17878a',
    maxPriorityFeePerGas: '0xf4240',
    chainId: '0x14a34',
    type: '0x2' as const,
  },
}

const stepsExample: ApprovalStep[] = [
  {
    kind: 'permit',
    reason:
      'Your signature takes the place of an approval: it lets the router take at most 1000.000000 tAUD, and the conversion carries it.',
    typedData: z.globalRegistry.get(typedData)?.['example'] as z.output<typeof typedData>,
    permit: { kind: 'permit', deadline: 1_795_241_836, amount: '1000.000000', nonce: '0' },
    fallback: [{ kind: 'approve', reason: 'Approves the router for exactly 1000.000000 tAUD.', ...transactionExample }],
  },
]

/** What an owner has to do so that a spender may take an amount. */
export const approvalPlan = z
  .object({
    steps: z.array(step).meta({
      description: 'Steps, in order; empty if the allowance is enough',
      example: stepsExample,
    }),
    spenderAddress: addressOut.meta({
      description: 'Contract that the conversion calls, which takes the token',
      example: localExamples.router,
    }),
    currentAllowance: decimal.meta({ description: 'Allowance of the spender', example: '0.000000' }),
    requiredAmount: decimal.meta({
      description: 'Amount that the spender must be able to take: of a quote the most that it may cost',
      example: '1000.000000',
    }),
    ...readBlockFields,
  })
  .meta({ id: 'ApprovalPlan', description: 'What an owner has to sign and send before a conversion' })
