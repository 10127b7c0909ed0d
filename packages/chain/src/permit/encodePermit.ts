import type { Address } from '@agio/core'
import { encodeFunctionData, hexToNumber, size, slice, type Hex } from 'viem'
import { permitAbi } from './permitAbi.ts'

/**
 * Encodes the call of a token's `permit` as the router makes it. A signature of 65 bytes is passed as r, s and v, any
 * other as bytes.
 */
export function encodePermit(permit: encodePermit.Permit): Hex {
  const { owner, spender, amountRaw, deadlineSeconds, signature } = permit
  const terms = [owner, spender, amountRaw, deadlineSeconds] as const
  if (size(signature) !== plainSize) {
    return encodeFunctionData({ abi: permitAbi, functionName: 'permit', args: [...terms, signature] })
  }
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), hexToNumber(slice(signature, 64))]
  return encodeFunctionData({ abi: permitAbi, functionName: 'permit', args: [...terms, v, r, s] })
}

export declare namespace encodePermit {
  type Permit = {
    readonly owner: Address
    readonly spender: Address
    /** The allowance to set, raw units. */
    readonly amountRaw: bigint
    readonly deadlineSeconds: bigint
    readonly signature: Hex
  }
}

/** The size of a key's signature, with r, s and v. */
export const plainSize = 65
