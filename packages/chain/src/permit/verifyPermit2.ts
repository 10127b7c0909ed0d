import { Errors, type Address } from '@agio/core'
import { decodeErrorResult, encodeFunctionData, hexToBigInt, type Hex } from 'viem'
import { permit2Abi } from '../abi/index.ts'
import type { CallPermit } from '../call/ConversionCall.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Reader } from '../reader/createReader.ts'
import { permitRefusals } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { isSignedBy, listOtherChains } from './findPermitFault.ts'
import {
  permit2Address,
  toPermit2Domain,
  toPermit2TypedData,
  toPermit2Witness,
  getCapRaw,
  type PermitSwap,
} from './permit2.ts'
import { permitAbi } from './permit.ts'
import { acceptsByErc1271 } from './erc1271.ts'
import { readCode } from './readApprovalState.ts'
import { simulateCall } from './simulateCall.ts'
import { hashTyped, toDomainSeparator } from './TypedData.ts'

/**
 * Verifies a signature for Permit2 by simulating the call that the router makes. The simulated call transfers zero units,
 * so neither the balance of the owner nor its allowance for Permit2 matters.
 *
 * @throws `svc/invalid-permit`, `svc/upstream-*`
 */
export async function verifyPermit2(
  dependencies: verifyPermit2.Dependencies,
  options: verifyPermit2.Options,
): Promise<void> {
  const { rpc, reader, chainId, router } = dependencies
  const terms = { chainId, router, swap: options.swap, quoteDigest: options.permit.quoteDigest }
  const separator = encodeFunctionData({ abi: permitAbi, functionName: 'DOMAIN_SEPARATOR' })
  const data = encodeTransferOfNothing({ ...options, router })
  const [{ results }, revert] = await Promise.all([
    reader.aggregate([{ target: permit2Address, data: separator }]),
    simulateCall(rpc, { from: router, to: permit2Address, data }),
  ]).catch(rethrowUpstream)
  // Without Permit2 there is no code at the address, and the call succeeds.
  if (results[0]?.data !== toDomainSeparator(toPermit2Domain(chainId))) throw Errors.invalidPermit({ reason: 'domain' })
  if (options.nonce !== undefined && options.nonce !== hexToBigInt(terms.quoteDigest))
    throw Errors.invalidPermit({ reason: 'nonce' })
  if (revert === undefined) return
  // Any other error comes from the token, or from the code of the owner.
  const refusal = permitRefusals.get(findErrorName(revert) ?? '')
  if (refusal === 'signer')
    throw Errors.invalidPermit({ reason: (await isForOtherChain(options, terms)) ? 'domain' : 'signer' })
  if (refusal !== undefined) throw Errors.invalidPermit({ reason: refusal })
  if (!(await isAccepted(dependencies, options, terms))) throw Errors.invalidPermit({ reason: 'signer' })
}

export declare namespace verifyPermit2 {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'client' | 'read'>
    readonly reader: Pick<Reader, 'aggregate'>
    readonly chainId: number
    readonly router: Address
  }
  type Options = {
    readonly owner: Address
    readonly swap: PermitSwap
    readonly permit: Extract<CallPermit, { kind: 'permit2' }>
    /** The nonce that was signed, if the caller knows it. */
    readonly nonce?: bigint | undefined
  }
}

/** Encodes a transfer of zero units that the signature permits. */
function encodeTransferOfNothing({
  owner,
  swap,
  permit,
  router,
}: verifyPermit2.Options & { readonly router: Address }): Hex {
  const permitted = { token: swap.tokenIn, amount: getCapRaw(swap) }
  const { hash, typeString } = toPermit2Witness(swap, permit.quoteDigest)
  return encodeFunctionData({
    abi: permit2Abi,
    functionName: 'permitWitnessTransferFrom',
    args: [
      { permitted, nonce: hexToBigInt(permit.quoteDigest), deadline: swap.deadlineSeconds },
      { to: router, requestedAmount: 0n },
      owner,
      hash,
      typeString,
      permit.signature,
    ],
  })
}

function findErrorName(revert: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi: permit2Abi, data: revert }).errorName
  } catch {
    return undefined
  }
}

async function isForOtherChain(options: verifyPermit2.Options, terms: toPermit2TypedData.Options): Promise<boolean> {
  const { owner, permit } = options
  for (const chainId of listOtherChains(terms)) {
    if (await isSignedBy(owner, permit.signature, toPermit2TypedData({ ...terms, chainId }))) return true
  }
  return false
}

/**
 * Returns whether a signature is accepted although the transfer reverts. If the owner has no code, Permit2 has accepted
 * the signature, and the token has reverted afterwards. The code of an owner may revert with any error, so this function
 * calls ERC-1271.
 */
async function isAccepted(
  { rpc }: verifyPermit2.Dependencies,
  { owner, permit }: verifyPermit2.Options,
  terms: toPermit2TypedData.Options,
): Promise<boolean> {
  if ((await readCode(rpc, owner).catch(rethrowUpstream)) === 'none') return true
  const hash = hashTyped(toPermit2TypedData(terms))
  return await acceptsByErc1271(rpc, { account: owner, hash, signature: permit.signature })
}
