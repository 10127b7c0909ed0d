import { z } from 'zod'
import { addressOut, decimal, readBlockFields } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { permitTerms } from '../schema/permit.ts'
import { typedData } from '../schema/typedData.ts'
import { l1Fee, unsignedTransaction, walletTransaction } from '../schema/transactions.ts'
import { approvalTransaction } from './approvalResponse.ts'

const transactionFields = {
  reason: z.string().meta({
    description: 'Why the step is needed, as text for the user',
    example: 'Approves the router for exactly 1000.000000 tAUD, because you prefer a transaction.',
  }),
  transaction: unsignedTransaction.meta({ description: 'Transaction to sign', example: approvalTransaction }),
  walletTransaction: walletTransaction.describe('The same transaction for `eth_sendTransaction` of a wallet'),
  l1Fee,
}

const resetStep = z
  .object({ kind: z.literal('reset').describe('Kind of the step'), ...transactionFields })
  .meta({ id: 'ResetStep', description: 'An approval of zero, which the token requires before another amount' })

const approveStep = z
  .object({ kind: z.literal('approve').describe('Kind of the step'), ...transactionFields })
  .meta({ id: 'ApproveStep', description: 'An approval to sign and send' })

const transactionStep = z
  .discriminatedUnion('kind', [resetStep, approveStep])
  .meta({ id: 'TransactionStep', description: 'A transaction to sign and send, by `kind`' })

const fallback = z
  .array(transactionStep)
  .describe(
    'Steps to use instead if the wallet or the build refuses the signature: an approval, after a reset if the token requires it',
  )

const signatureFields = {
  reason: z.string().meta({
    description: 'Effect of the signature, as text for the user',
    example:
      'Your signature replaces an approval: it lets the router take at most 1000.000000 tAUD, and the conversion carries it.',
  }),
  typedData,
  permit: permitTerms,
  fallback,
}

const permitStep = z
  .object({ kind: z.literal('permit').describe('Kind of the step'), ...signatureFields })
  .meta({ id: 'PermitStep', description: 'An EIP-2612 permit to sign, which the conversion carries' })

const permit2Step = z
  .object({ kind: z.literal('permit2').describe('Kind of the step'), ...signatureFields })
  .meta({ id: 'Permit2Step', description: 'A Permit2 transfer to sign, which pays the conversion of the quote' })

const step = z
  .discriminatedUnion('kind', [resetStep, approveStep, permitStep, permit2Step])
  .meta({ id: 'ApprovalStep', description: 'A step of a plan, by `kind`' })

/** A step of a plan, as the response has it. */
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
      'Your signature replaces an approval: it lets the router take at most 1000.000000 tAUD, and the conversion carries it.',
    typedData: z.globalRegistry.get(typedData)?.['example'] as z.output<typeof typedData>,
    permit: { kind: 'permit', deadline: 1_795_241_836, amount: '1000.000000', nonce: '0' },
    fallback: [{ kind: 'approve', reason: 'Approves the router for exactly 1000.000000 tAUD.', ...transactionExample }],
  },
]

/** The steps with which an owner lets a spender take an amount. */
export const approvalPlan = z
  .object({
    steps: z.array(step).meta({
      description: 'Steps, in order. Empty if the allowance is sufficient',
      example: stepsExample,
    }),
    spenderAddress: addressOut.meta({
      description: 'Contract that the conversion calls and that takes the token',
      example: localExamples.router,
    }),
    currentAllowance: decimal.meta({ description: 'Allowance of the spender', example: '0.000000' }),
    requiredAmount: decimal.meta({
      description: 'Amount that the spender must be allowed to take. For a quote, the most that it may cost',
      example: '1000.000000',
    }),
    ...readBlockFields,
  })
  .meta({ id: 'ApprovalPlan', description: 'Signatures and transactions that an owner needs before a conversion' })
