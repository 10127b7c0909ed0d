import type { Address } from '@agio/core'
import { listDomainFields, type PermitDomain, type TypedData } from './TypedData.ts'
import { encodeFunctionData, hexToNumber, size, slice, type Hex, parseAbi } from 'viem'

/** Returns the data of a permit by EIP-2612, ready for `eth_signTypedData_v4`. */
export function toPermitTypedData(options: toPermitTypedData.Options): TypedData {
  const { domain, owner, spender, valueRaw, nonce, deadlineSeconds } = options
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
  type Options = {
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

/**
 * Encodes the call of a token's `permit` as the router makes it. A signature of 65 bytes is passed as r, s and v. A
 * signature of any other size is passed as bytes.
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

/** The size in bytes of a private key's signature: r, s and v. */
export const plainSize = 65

/** The functions of tokens with permits (EIP-2612, ERC-5267), and the `permit` of tokens that accept ERC-1271. */
export const permitAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
])
