import type { BatchCall } from '@agio/chain'
import { z } from 'zod'
import { addressOut, hexOut, integerText } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'

const walletCall = z
  .object({
    to: addressOut.meta({ description: 'Address of the contract to call', example: localExamples.router }),
    data: hexOut.meta({ description: 'Calldata, hex', example: '0x9d73b325' }),
    value: z.literal('0x0').meta({ description: 'Native currency to send, in wei', example: '0x0' }),
  })
  .meta({ id: 'WalletCall', description: 'A call of a batch by EIP-5792' })

const callGasLimit = z
  .object({
    kind: z.enum(['reset', 'approve', 'convert']).meta({ description: 'What the call does', example: 'convert' }),
    gasLimit: integerText.meta({
      description: 'Gas limit of the call as a transaction of its own after those before it, with a margin',
      example: '215601',
    }),
  })
  .meta({ id: 'CallGasLimit', description: 'What a call of a batch does, and its gas limit' })

/** The fields of a built conversion that are its batch. */
export const batchFields = {
  calls: z
    .array(walletCall)
    .optional()
    .meta({
      description:
        'All that the wallet has to do now, as the `calls` of `wallet_sendCalls` (EIP-5792), to send with `atomicRequired`: an approval if the allowance is too low, after a reset where the token demands one, and the conversion. Absent with a `permit`',
      example: [{ to: localExamples.router, data: '0x9d73b325', value: '0x0' }],
    }),
  callGasLimits: z
    .array(callGasLimit)
    .optional()
    .meta({
      description:
        'What each of `calls` does, in the same order, with the gas that it needs once those before it have run',
      example: [{ kind: 'convert', gasLimit: '215601' }],
    }),
}

/** Returns the calls of a batch as a wallet takes them, and what each does. */
export function toBatch(calls: readonly BatchCall[]) {
  return {
    calls: calls.map(({ to, data }) => ({ to, data, value: '0x0' as const })),
    callGasLimits: calls.map(({ kind, gasLimit }) => ({ kind, gasLimit: gasLimit.toString() })),
  }
}
