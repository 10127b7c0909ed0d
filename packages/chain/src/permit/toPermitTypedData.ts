import type { Address } from '@agio/core'
import { listDomainFields, type PermitDomain, type TypedData } from './TypedData.ts'

/** Returns the data of a permit by EIP-2612, ready for `eth_signTypedData_v4`. */
export function toPermitTypedData(request: toPermitTypedData.Request): TypedData {
  const { domain, owner, spender, valueRaw, nonce, deadlineSeconds } = request
  return {
    domain,
    types: { EIP712Domain: listDomainFields(domain), Permit: permitFields },
    primaryType: 'Permit',
    message: {
      owner,
      spender,
      value: valueRaw.toString(),
      nonce: nonce.toString(),
      deadline: deadlineSeconds.toString(),
    },
  }
}

export declare namespace toPermitTypedData {
  type Request = {
    /** The domain of the token, as `Chain.getTokenPermits` found it. */
    readonly domain: PermitDomain
    /** The account that signs and pays. */
    readonly owner: Address
    readonly spender: Address
    /** The allowance to set, raw units. */
    readonly valueRaw: bigint
    /** The current nonce of the owner at the token. */
    readonly nonce: bigint
    /** The token accepts the permit up to this time. */
    readonly deadlineSeconds: bigint
  }
}

const permitFields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const
