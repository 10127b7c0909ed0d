import { numberToHex } from 'viem'
import { z } from 'zod'
import type { BuiltConvert } from '@agio/chain'
import { addressOut, hexOut, chainIdOut, integerText } from './fields.ts'
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
    type: z.literal('0x2').describe('Type of the transaction: EIP-1559'),
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

/** How the gas of a conversion was found. */
export const gasEstimateSources = ['estimate-as-if', 'call-as-if', 'estimate', 'upper-bound'] as const

/** What a transaction also pays on a chain of the OP stack. */
export const l1Fee = integerText
  .optional()
  .describe('What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack')

/** Returns the field of what a transaction also pays on L1, if its chain has such a fee. */
export function toL1Fee({ l1FeeWei }: { readonly l1FeeWei?: bigint }): { readonly l1Fee?: string } {
  return l1FeeWei === undefined ? {} : { l1Fee: l1FeeWei.toString() }
}

/** The fields of a built conversion for the cost of its gas, besides `gasLimit`. */
export const gasTerms = {
  maxFeePerGas: integerText.meta({ description: 'Recommended maximum fee per gas, in wei', example: '1542026' }),
  maxPriorityFeePerGas: integerText.meta({
    description: 'Recommended maximum priority fee per gas, in wei',
    example: '1000000',
  }),
  gasEstimateSource: z.enum(gasEstimateSources).meta({
    description:
      'How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance. `estimate` uses the balance and allowance of the wallet. `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now',
    example: 'call-as-if',
  }),
  l1Fee: integerText
    .optional()
    .describe(
      'What the transaction also pays for its bytes on L1, in wei, with a margin. Only on chains of the OP stack. `issues` count it',
    ),
}

/** Returns the gas terms of a built conversion. */
export function toGasTerms({ maxFeePerGas, maxPriorityFeePerGas, gasEstimateSource, account }: BuiltConvert) {
  return {
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
    gasEstimateSource,
    ...toL1Fee(account),
  }
}

/** Returns the most that a built conversion pays for its gas, and for its bytes on L1, in wei. */
export function getMaxFeeWei({ gasLimit, maxFeePerGas, account }: BuiltConvert): bigint {
  return gasLimit * maxFeePerGas + (account.l1FeeWei ?? 0n)
}
