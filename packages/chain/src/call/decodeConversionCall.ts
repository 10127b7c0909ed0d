import type { Address } from '@agio/core'
import type { Hex } from 'viem'
import type { ConversionCall } from './ConversionCall.ts'
import { encodeConversionCall } from './encodeConversionCall.ts'
import { parseConversionCall } from './parseConversionCall.ts'

/**
 * Decodes a call of the deployment's router or of one of its pools as a conversion.
 *
 * @returns undefined for any other call, and for data that differs from the canonical encoding of its arguments: bytes
 * after the arguments, or addresses with bytes before them
 */
export function decodeConversionCall(
  { to, data }: decodeConversionCall.Transaction,
  deployment: decodeConversionCall.Contracts,
): DecodedConversionCall | undefined {
  const call = parseConversionCall(data)
  if (call === undefined || to === undefined || !listTargets(deployment, call).includes(to)) return undefined
  return encodeConversionCall(call) === data.toLowerCase() ? { ...call, to } : undefined
}

/**
 * Decodes a call of the deployment's router or of one of its pools as that contract reads it. In a transaction that was
 * sent, bytes after the arguments change nothing.
 *
 * @returns undefined for any other call
 */
export function decodeExecutedCall(
  { to, data }: decodeConversionCall.Transaction,
  deployment: decodeConversionCall.Contracts,
): DecodedConversionCall | undefined {
  const call = parseConversionCall(data)
  return call !== undefined && to !== undefined && listTargets(deployment, call).includes(to)
    ? { ...call, to }
    : undefined
}

export declare namespace decodeConversionCall {
  type Transaction = {
    /** The called contract, in checksum case. */
    readonly to: Address | undefined
    readonly data: Hex
  }
  type Contracts = { readonly router: Address; readonly pools: readonly Address[] }
}

/** A conversion, and the contract that it calls. */
export type DecodedConversionCall = ConversionCall & { readonly to: Address }

function listTargets({ router, pools }: decodeConversionCall.Contracts, call: ConversionCall): readonly Address[] {
  return call.target === 'router' ? [router] : pools
}
