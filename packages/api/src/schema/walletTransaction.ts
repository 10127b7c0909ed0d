import { numberToHex } from 'viem'
import { z } from 'zod'
import { addressOut, hexOut } from './fields.ts'
import { localExamples } from './localExamples.ts'

/** A quantity of JSON-RPC in a response. */
export const quantity = z.string().regex(/^0x(0|[1-9a-f][0-9a-f]*)$/)

/** A transaction for the `eth_sendTransaction` of a wallet. Quantities are hex without leading zeros. */
export const walletTransaction = z
  .object({
    from: addressOut.meta({ description: 'Wallet that signs and pays', example: localExamples.wallet }),
    to: addressOut.meta({ description: 'Address of the contract to call', example: localExamples.router }),
    data: hexOut.meta({ description: 'Calldata, hex', example: '0x9d73b325' }),
    value: quantity.meta({ description: 'Native currency to send, in wei', example: '0x0' }),
    gas: quantity.meta({ description: 'Gas limit, with a margin', example: '0x34a31' }),
    maxFeePerGas: quantity.meta({ description: 'Maximum fee per gas, in wei', example: '0x17878a' }),
    maxPriorityFeePerGas: quantity.meta({ description: 'Maximum priority fee per gas, in wei', example: '0xf4240' }),
    chainId: quantity.meta({ description: 'Chain id of the network', example: '0x14a34' }),
    type: z.literal('0x2').meta({ description: 'Type of the transaction: EIP-1559' }),
  })
  .meta({
    id: 'WalletTransaction',
    description: 'A transaction for the `eth_sendTransaction` of a wallet. The wallet adds the nonce and signs it',
  })

/** Returns a call without native currency in the form of a wallet's `eth_sendTransaction`. */
export function toWalletTransaction(
  { from, chainId }: { readonly from: string; readonly chainId: number },
  call: toWalletTransaction.Call,
): z.output<typeof walletTransaction> {
  return {
    from,
    to: call.to,
    data: call.data,
    value: '0x0',
    gas: numberToHex(call.gasLimit),
    maxFeePerGas: numberToHex(call.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(call.maxPriorityFeePerGas),
    chainId: numberToHex(chainId),
    type: '0x2',
  }
}

export declare namespace toWalletTransaction {
  type Call = {
    readonly to: string
    readonly data: string
    readonly gasLimit: bigint
    readonly maxFeePerGas: bigint
    readonly maxPriorityFeePerGas: bigint
  }
}
