import type { Chain, Receipt } from '@agio/chain'
import { errorCodes } from '@agio/core'
import type { Hex } from 'viem'
import { z } from 'zod'
import { hexBytes, integerText, transactionHashOut, transactionStates, wholeNumber } from '../schema/fields.ts'

/** A signed transaction, in a request. */
export const signedTransaction = hexBytes.meta({
  description: 'Signed transaction of type 2 (EIP-1559), as the wallet returns it',
  example: '0x02f86b',
})

/** The state of a transaction. */
export const transactionStatus = z.enum(transactionStates).meta({
  description: '`pending` until the transaction is mined, then `success`, or `failed` if it reverted',
  example: 'success',
})

/** The fields of a mined transaction. */
export const minedFields = {
  blockNumber: wholeNumber.optional().meta({ description: 'Number of the block', example: 62 }),
  gasUsed: integerText.optional().meta({ description: 'Gas used', example: '141414' }),
}

/** Why a mined transaction reverted. */
export const failure = z
  .object({
    code: z.enum(errorCodes).meta({ description: 'Code of the error', example: 'svc/below-min-target' }),
    message: z.string().meta({
      description: 'Description of the error',
      example: 'The conversion would pay less than the minimum',
    }),
    revert: z
      .object({
        name: z.string().meta({ description: 'Name of the error', example: 'BelowMinTarget' }),
        args: z.array(z.string()).meta({ description: 'Arguments of the error', example: ['650874400', '700000000'] }),
      })
      .describe('Error with which the contract reverted'),
  })
  .meta({ id: 'TransactionFailure', description: 'Why a transaction reverted' })

/** The state of a transaction. A pending transaction has no block yet. */
export const broadcastResult = z
  .object({
    transactionHash: transactionHashOut,
    status: transactionStatus,
    ...minedFields,
    failure: failure.optional().describe('Why the transaction reverted, if it failed'),
  })
  .meta({ id: 'BroadcastResult', description: 'The state of a broadcast transaction' })

/** Returns the state of a transaction by its receipt, with the reason of a failure. */
export async function toBroadcastResult(
  chain: Chain,
  hash: Hex,
  receipt: Receipt | undefined,
): Promise<z.output<typeof broadcastResult>> {
  if (!receipt) return { transactionHash: hash, status: 'pending' }
  const reason = receipt.status === 'failed' ? await chain.transactions.findFailure(hash, receipt) : undefined
  return {
    transactionHash: hash,
    status: receipt.status,
    blockNumber: Number(receipt.blockNumber),
    gasUsed: receipt.gasUsed.toString(),
    ...(reason && { failure: toFailure(reason) }),
  }
}

/** Returns the reason of a revert in the form of a response. */
export function toFailure({ code, message, revert }: Failure): z.output<typeof failure> {
  return { code, message, revert: { ...revert, args: [...revert.args] } }
}

type Failure = NonNullable<Awaited<ReturnType<Chain['transactions']['findFailure']>>>
