import type { Address } from '@agio/core'
import { hashDomain, hashTypedData, type Hex, type HashTypedDataParameters } from 'viem'

/**
 * The data that a wallet signs by `eth_signTypedData_v4` (EIP-712), as JSON. Numbers of the message are decimal
 * strings.
 */
export type TypedData = {
  readonly domain: PermitDomain
  /** The fields of each type, including the type of the domain. */
  readonly types: Readonly<Record<string, readonly TypedField[]>>
  readonly primaryType: string
  readonly message: TypedMessage
}

/** The domain of a signature, with exactly the fields of the contract's own domain. */
export type PermitDomain = {
  readonly name?: string
  readonly version?: string
  readonly chainId?: number
  readonly verifyingContract?: Address
  /** 32 bytes. */
  readonly salt?: Hex
}

/** A field of an EIP-712 type. */
export type TypedField = { readonly name: string; readonly type: string }

type TypedMessage = { readonly [field: string]: string | TypedMessage }

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const satisfies readonly { readonly name: keyof PermitDomain; readonly type: string }[]

/** Lists the fields of a domain in the order of EIP-712, for the type `EIP712Domain`. */
export function listDomainFields(domain: PermitDomain): readonly TypedField[] {
  return domainFields.filter(({ name }) => domain[name] !== undefined)
}

/** Returns the hash that is signed. */
export function hashTyped(typedData: TypedData): Hex {
  return hashTypedData(typedData as unknown as HashTypedDataParameters)
}

/** Returns the hash of a domain, which contracts return as `DOMAIN_SEPARATOR`. */
export function toDomainSeparator(domain: PermitDomain): Hex {
  return hashDomain<Record<string, unknown>>({ domain, types: { EIP712Domain: [...listDomainFields(domain)] } })
}
