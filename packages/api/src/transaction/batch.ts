import type { BatchCall, BuiltConvert, Chain } from '@agio/chain'
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
      description: 'Gas limit of the call as a separate transaction after the previous calls, with a margin',
      example: '215601',
    }),
  })
  .meta({ id: 'CallGasLimit', description: 'The kind of a call of a batch, and its gas limit' })

/** The fields of a built conversion that are its batch. */
export const batchFields = {
  calls: z
    .array(walletCall)
    .optional()
    .meta({
      description:
        'Every call that the wallet needs now, as the `calls` of `wallet_sendCalls` (EIP-5792). Send them with `atomicRequired`. They are an approval if the allowance is too low, after a reset if the token requires it, and the conversion. Absent with a `permit`',
      example: [{ to: localExamples.router, data: '0x9d73b325', value: '0x0' }],
    }),
  callGasLimits: z
    .array(callGasLimit)
    .optional()
    .meta({
      description:
        'The kind of each of `calls`, in the same order, with the gas that it needs after the previous calls',
      example: [{ kind: 'convert', gasLimit: '215601' }],
    }),
}

/** Returns the calls of a batch in the form of a wallet, and the kind of each call. */
export function toBatch(calls: readonly BatchCall[]) {
  return {
    calls: calls.map(({ to, data }) => ({ to, data, value: '0x0' as const })),
    callGasLimits: calls.map(({ kind, gasLimit }) => ({ kind, gasLimit: gasLimit.toString() })),
  }
}

/**
 * Builds a conversion. Unless a signature pays it, the result contains every call that the sender needs now.
 *
 * @throws the errors of `Chain.conversions.build`
 */
export async function buildCall(
  chain: Chain,
  { permit, ...request }: Parameters<Chain['conversions']['build']>[0],
): Promise<BuiltConvert & { readonly calls?: readonly BatchCall[] }> {
  return permit === undefined
    ? await chain.conversions.buildBatch(request)
    : await chain.conversions.build({ ...request, permit })
}
