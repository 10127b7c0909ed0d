import { z } from 'zod'
import { addressOut, chainIdOut, hexOut, integerText } from './fields.ts'
import { localExamples } from './localExamples.ts'

/** A transaction without nonce and signature. */
export const unsignedTransaction = z
  .object({
    to: addressOut.meta({ description: 'Address of the contract to call', example: localExamples.router }),
    data: hexOut.meta({ description: 'Calldata, hex', example: '0x9d73b325' }),
    value: integerText.meta({ description: 'Native currency to send, in wei', example: '0' }),
    chainId: chainIdOut,
    gasLimit: integerText.meta({ description: 'Gas limit, with a margin', example: '240000' }),
  })
  .meta({ id: 'UnsignedTransaction', description: 'A transaction without nonce and signature' })

/** Returns an unsigned call that sends no native currency. */
export function toUnsignedTransaction(
  call: toUnsignedTransaction.Call,
  chainId: number,
): z.output<typeof unsignedTransaction> {
  return { to: call.to, data: call.data, value: '0', chainId, gasLimit: call.gasLimit.toString() }
}

export declare namespace toUnsignedTransaction {
  type Call = { readonly to: string; readonly data: string; readonly gasLimit: bigint }
}
