import { Network, type Address } from '@agio/core'
import { hashStruct, hexToBigInt, type Hex } from 'viem'
import type { ConversionAmounts } from '../call/ConversionCall.ts'
import { listDomainFields, type PermitDomain, type TypedData, type TypedField } from './TypedData.ts'

/** The address of Uniswap's Permit2. */
export const permit2Address: Address = Network.commonContracts.permit2

/**
 * Returns the data of a transfer by Permit2 that pays one conversion, ready for `eth_signTypedData_v4`. The conversion
 * is the witness, and the digest of its quote is the nonce.
 *
 * @see `contracts/PermitPayment.sol`, which rebuilds the data from the arguments of the router
 */
export function toPermit2TypedData({ chainId, router, swap, quoteDigest }: toPermit2TypedData.Options): TypedData {
  const domain = toPermit2Domain(chainId)
  const { name, fields, values } = toWitness(swap, quoteDigest)
  return {
    domain,
    types: {
      EIP712Domain: listDomainFields(domain),
      PermitWitnessTransferFrom: [...transferFields, { name: 'witness', type: name }],
      [name]: fields,
      TokenPermissions: tokenPermissionsFields,
    },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: swap.tokenIn, amount: getCapRaw(swap).toString() },
      spender: router,
      nonce: hexToBigInt(quoteDigest).toString(),
      deadline: swap.deadlineSeconds.toString(),
      witness: values,
    },
  }
}

export declare namespace toPermit2TypedData {
  type Options = {
    readonly chainId: number
    /** The spender. */
    readonly router: Address
    readonly swap: PermitSwap
    /** 32 bytes. */
    readonly quoteDigest: Hex
  }
}

/** The conversion that a signature pays. */
export type SignedSwap = ConversionAmounts & {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The account that is paid, which may be the sender. */
  readonly recipient: Address
  readonly deadlineSeconds: bigint
}

/** A signed conversion by a router. The router needs the token between the two pools of a route. */
export type PermitSwap = SignedSwap & { readonly quoteToken: Address }

/** Returns the largest input of a conversion, in raw units. Its signature or allowance must cover this amount. */
export function getCapRaw(amounts: ConversionAmounts): bigint {
  return amounts.mode === 'exact-in' ? amounts.amountInRaw : amounts.maxAmountInRaw
}

/** Returns the domain of Permit2 on a network. */
export function toPermit2Domain(chainId: number): PermitDomain {
  return { name: 'Permit2', chainId, verifyingContract: permit2Address }
}

/**
 * Returns the witness of a conversion for Permit2: the hash of the conversion, and the end of the signed type as a
 * string.
 */
export function toPermit2Witness(
  swap: PermitSwap,
  quoteDigest: Hex,
): { readonly hash: Hex; readonly typeString: string } {
  const { name, fields, values } = toWitness(swap, quoteDigest)
  const hash = hashStruct({ data: values, primaryType: name, types: { [name]: [...fields] } })
  const types = `${encodeType(name, fields)}${encodeType('TokenPermissions', tokenPermissionsFields)}`
  return { hash, typeString: `${name} witness)${types}` }
}

function encodeType(name: string, fields: readonly TypedField[]): string {
  return `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`
}

/** Returns the contract's struct for a signed conversion. */
function toWitness(swap: PermitSwap, quoteDigest: Hex) {
  const { name, amounts } = toStruct(swap)
  const fields: readonly TypedField[] = [
    { name: 'quote', type: 'address' },
    { name: 'origin', type: 'address' },
    { name: 'target', type: 'address' },
    ...Object.keys(amounts).map((field) => ({ name: field, type: 'uint256' })),
    { name: 'recipient', type: 'address' },
    { name: 'deadline', type: 'uint256' },
    { name: 'quoteDigest', type: 'bytes32' },
  ]
  const values = {
    quote: swap.quoteToken,
    origin: swap.tokenIn,
    target: swap.tokenOut,
    ...amounts,
    recipient: swap.recipient,
    deadline: swap.deadlineSeconds.toString(),
    quoteDigest,
  }
  return { name, fields, values }
}

/** Returns the name of the struct, and its amounts in the order of its fields. */
function toStruct(swap: ConversionAmounts) {
  if (swap.mode === 'exact-in') {
    const amounts = { originAmount: `${swap.amountInRaw}`, minTargetAmount: `${swap.minAmountOutRaw}` }
    return { name: 'OriginSwap', amounts }
  }
  const amounts = { maxOriginAmount: `${swap.maxAmountInRaw}`, targetAmount: `${swap.amountOutRaw}` }
  return { name: 'TargetSwap', amounts }
}

const transferFields = [
  { name: 'permitted', type: 'TokenPermissions' },
  { name: 'spender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

const tokenPermissionsFields = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint256' },
] as const
