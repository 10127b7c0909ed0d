import { Network, type Address, type PermitRefusal } from '@agio/core'
import { hexToBigInt, hexToNumber, maxUint256, recoverAddress, size, slice, type Hex } from 'viem'
import { plainSize, toPermitTypedData } from './permit.ts'
import { hashTyped, type PermitDomain, type TypedData } from './TypedData.ts'

/**
 * Finds the reason why a token has refused a permit. It tries wrong terms that the owner may have signed, until the
 * signature recovers the owner for one of them. It reads nothing from a node.
 *
 * @returns undefined if the key of the owner has signed the expected terms
 */
export async function findPermitFault(options: findPermitFault.Options): Promise<PermitRefusal | undefined> {
  const { permit, signedNonce, timestampSeconds, signature } = options
  if (permit.deadlineSeconds < timestampSeconds) return 'deadline'
  if (signedNonce !== undefined && signedNonce !== permit.nonce) return 'nonce'
  if (!isPlain(signature)) return 'signer'
  for (const [fault, terms] of listAttempts(options)) {
    if (await isSignedBy(permit.owner, signature, toPermitTypedData({ ...permit, ...terms }))) return fault
  }
  return 'signer'
}

export declare namespace findPermitFault {
  type Options = {
    /** The permit that the token expects. */
    readonly permit: toPermitTypedData.Options
    readonly signature: Hex
    /** The nonce that was signed, according to the caller. */
    readonly signedNonce?: bigint | undefined
    /** The time of the newest block. */
    readonly timestampSeconds: bigint
    /** The amount that the conversion needs, raw units. */
    readonly neededRaw: bigint
    /** The domains of other tokens, with the owner's nonces at them. */
    readonly others: readonly { readonly domain: PermitDomain; readonly nonce: bigint }[]
  }
}

type Attempt = readonly [PermitRefusal | undefined, Partial<toPermitTypedData.Options>]

/**
 * Lists the terms that an owner may have signed, the expected terms first. The list is short, because each attempt
 * recovers a key.
 */
function listAttempts({ permit, neededRaw, others }: findPermitFault.Options): readonly Attempt[] {
  const { domain, nonce } = permit
  const near = [-1n, 1n, -2n, 2n, -3n, 3n].map((step) => nonce + step).filter((other) => other >= 0n)
  const domains: readonly PermitDomain[] = [
    ...listOtherChains(domain).map((chainId) => ({ ...domain, chainId })),
    ...['1', '2'].filter((version) => version !== domain.version).map((version) => ({ ...domain, version })),
  ]
  return [
    [undefined, {}],
    ...near.map((other): Attempt => ['nonce', { nonce: other }]),
    ...[neededRaw, maxUint256].map((valueRaw): Attempt => ['amount', { valueRaw }]),
    ...domains.map((other): Attempt => ['domain', { domain: other }]),
    // The owner's first permit at this token.
    ...domains.map((other): Attempt => ['domain', { domain: other, nonce: 0n }]),
    ...others.map((other): Attempt => ['domain', other]),
  ]
}

/** Lists the other networks that a signature may be for. */
export function listOtherChains({ chainId }: Pick<PermitDomain, 'chainId'>): readonly number[] {
  return chainId === undefined ? [] : Network.chainIds.filter((other) => other !== chainId)
}

/** Returns whether the key of an account has signed some data. */
export async function isSignedBy(account: Address, signature: Hex, typedData: TypedData): Promise<boolean> {
  if (!isPlain(signature)) return false
  try {
    return (await recoverAddress({ hash: hashTyped(typedData), signature })) === account
  } catch {
    return false
  }
}

// Half the order of secp256k1. From a signature with a smaller s, anyone can derive a second signature with a larger s.
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Returns whether a signature has the form that all contracts accept: 65 bytes, v of 27 or 28, and the smaller s. */
function isPlain(signature: Hex): boolean {
  if (size(signature) !== plainSize) return false
  const v = hexToNumber(slice(signature, 64))
  return (v === 27 || v === 28) && hexToBigInt(slice(signature, 32, 64)) <= maxS
}
