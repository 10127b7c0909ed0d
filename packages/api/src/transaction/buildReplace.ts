import { numberToHex } from 'viem'
import { z } from 'zod'
import { addressOut, chainIdOrDefault, integerText, transactionHash, wholeNumber } from '../schema/fields.ts'
import {
  gasTerms,
  l1Fee,
  toL1Fee,
  unsignedTransaction,
  quantity,
  toWalletTransaction,
  walletTransaction,
} from '../schema/transactions.ts'
import { signedTransaction } from './broadcastResult.ts'
import { localExamples } from '../schema/localExamples.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure, rest } from '../procedure/procedure.ts'

const replacementTransaction = walletTransaction
  .extend({
    to: addressOut.meta({ description: 'Receiver of the transaction', example: localExamples.router }),
    nonce: quantity.meta({ description: 'Nonce of the pending transaction', example: '0x7' }),
  })
  .meta({
    id: 'WalletReplacement',
    description: 'A transaction with its nonce, for the `eth_sendTransaction` of a wallet',
  })

/** Builds the replacement of a pending transaction. */
export const buildReplace = procedure
  .meta({
    scope: 'build',
    openapi: rest('POST /api/v1/transaction/build/replace', 'Transaction', {
      operationId: 'buildReplacement',
      summary: 'Build an unsigned replacement of a pending transaction',
      description:
        'Returns a transaction with the same sender and nonce for the wallet to sign: the same call, or an empty transfer to the sender that cancels it. Both fees follow the current market, and are at least 12.5 % higher than the fees of the pending transaction. Only one of the two transactions will be mined. Follow the first with `transaction/track`.',
    }),
    errors: [
      'svc/already-mined',
      'svc/transaction-not-found',
      'svc/reverted',
      'svc/invalid-transaction',
      'svc/wrong-chain',
    ],
  })
  .input(
    z.strictObject({
      chainId: chainIdOrDefault,
      transactionHash: transactionHash.describe('Hash of the pending transaction'),
      signedTransaction: signedTransaction
        .optional()
        .describe(
          'The signed pending transaction, of type 2, for nodes that do not show pending transactions. It is not sent',
        ),
      kind: z.enum(['speed-up', 'cancel']).meta({
        description: '`speed-up` sends the same call again. `cancel` sends an empty transfer to the sender',
        example: 'speed-up',
      }),
    }),
  )
  .output(
    unsignedTransaction
      .extend({
        to: addressOut.meta({ description: 'Receiver of the transaction', example: localExamples.router }),
        gasLimit: integerText.meta({
          description: 'Gas limit. For `speed-up`, the gas limit of the pending transaction',
          example: '240000',
        }),
        maxFeePerGas: gasTerms.maxFeePerGas,
        maxPriorityFeePerGas: gasTerms.maxPriorityFeePerGas,
        l1Fee,
        nonce: wholeNumber.meta({ description: 'Nonce of the pending transaction', example: 7 }),
        from: addressOut.meta({ description: 'Sender of the pending transaction', example: localExamples.wallet }),
        transaction: replacementTransaction.describe('The same transaction for the `eth_sendTransaction` of a wallet'),
      })
      .meta({
        id: 'UnsignedReplacement',
        description: 'An unsigned transaction that replaces a pending transaction',
      }),
  )
  .query(async ({ ctx, input: { chainId, transactionHash: hash, kind, signedTransaction: serialized } }) => {
    const { transactions } = getChain(ctx, chainId)
    if (serialized !== undefined) await transactions.readSigned(serialized, hash)
    const built = await transactions.buildReplacement({
      hash,
      kind,
      serialized: serialized as `0x02${string}` | undefined,
    })
    const { from, to, data, valueWei, gasLimit, nonce, maxFeePerGas, maxPriorityFeePerGas } = built
    return {
      to,
      data,
      value: valueWei.toString(),
      chainId,
      gasLimit: gasLimit.toString(),
      maxFeePerGas: maxFeePerGas.toString(),
      maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
      ...toL1Fee(built),
      nonce,
      from,
      transaction: {
        ...toWalletTransaction({ from, chainId }, built),
        value: numberToHex(valueWei),
        nonce: numberToHex(nonce),
      },
    }
  })
