import { z } from 'zod'
import { addressOut, integerText } from './fields.ts'

/** A transaction without nonce and signature. */
export const unsignedTransaction = z
  .object({
    to: addressOut,
    data: z.string().meta({ description: 'Calldata, hex' }),
    value: integerText.meta({ description: 'Wei' }),
    chainId: z.int(),
    gasLimit: integerText,
  })
  .meta({ id: 'UnsignedTransaction' })

/** Writes an unsigned call that sends no native currency. */
export function toUnsignedTransaction(
  call: toUnsignedTransaction.Call,
  chainId: number,
): z.output<typeof unsignedTransaction> {
  return { to: call.to, data: call.data, value: '0', chainId, gasLimit: call.gasLimit.toString() }
}

export declare namespace toUnsignedTransaction {
  type Call = { readonly to: string; readonly data: string; readonly gasLimit: bigint }
}
