import { Errors, type Address, type ServiceError } from '@agio/core'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { CallPermit } from '../call/ConversionCall.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult, findNumber } from '../reader/decodeResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { TokenPermitsFinder } from './createTokenPermits.ts'
import { encodePermit, permitAbi } from './permit.ts'
import { findPermitFault } from './findPermitFault.ts'
import { getCapRaw, type SignedSwap } from './permit2.ts'
import { readCode } from './readApprovalState.ts'
import { simulateCall } from './simulateCall.ts'
import type { PermitDomain } from './TypedData.ts'
import { verifyPermit2 } from './verifyPermit2.ts'

/**
 * Verifies the signature of a conversion as the token or Permit2 will. It simulates the call that the router makes, at
 * the newest block. This covers every kind of signing account.
 *
 * If the token refuses an EIP-2612 permit, the permit still passes if the allowance covers the conversion. Another
 * account may have sent the permit already, and the router ignores the refusal. A signature for Permit2 also passes if
 * the owner lacks the balance or the allowance for Permit2, because the signature is not at fault.
 *
 * @throws `svc/invalid-permit`; `svc/token-paused`; `svc/reverted` if the token refuses permits for another reason;
 * `svc/upstream-*`
 */
export async function verifyPermit(
  dependencies: verifyPermit.Dependencies,
  options: verifyPermit.Options,
): Promise<void> {
  const { permit, ...rest } = options
  if (permit.kind === 'permit') return await verifyEip2612(dependencies, { ...rest, permit })
  const swap = { ...options.swap, quoteToken: dependencies.quoteToken }
  return await verifyPermit2(dependencies, { ...rest, swap, permit })
}

export declare namespace verifyPermit {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'client' | 'read'>
    readonly reader: Pick<Reader, 'aggregate'>
    readonly tokenPermits: TokenPermitsFinder
    readonly chainId: number
    /** The spender, which calls the token or Permit2. */
    readonly router: Address
    readonly quoteToken: Address
  }
  type Options<Permit = CallPermit> = {
    /** The account that signs, pays and sends the conversion. */
    readonly owner: Address
    readonly swap: SignedSwap
    readonly permit: Permit
    /** The nonce that was signed, if the caller knows it. */
    readonly nonce?: bigint | undefined
  }
}

type PlainPermit = Extract<CallPermit, { kind: 'permit' }>

async function verifyEip2612(
  dependencies: verifyPermit.Dependencies,
  options: verifyPermit.Options<PlainPermit>,
): Promise<void> {
  const { rpc, router, tokenPermits } = dependencies
  const { owner, swap, permit } = options
  const [token, neededRaw] = [swap.tokenIn, getCapRaw(swap)]
  const data = encodePermit({ owner, spender: router, ...permit })
  const [{ domain, isPaused }, state, revert] = await Promise.all([
    tokenPermits.get(token),
    readPermitState(dependencies, options),
    simulateCall(rpc, { from: router, to: token, data }),
  ]).catch(rethrowUpstream)
  if (domain !== undefined && revert === undefined) {
    // The permit sets the allowance to its amount, even if the current allowance is larger.
    if (permit.amountRaw < neededRaw) throw Errors.invalidPermit({ reason: 'amount' })
    return
  }
  if (state.allowanceRaw >= neededRaw) return
  if (isPaused === true) throw Errors.tokenPaused({ token })
  if (domain === undefined || state.nonce === undefined) throw Errors.invalidPermit({ reason: 'domain' })
  throw await explainRefusal(dependencies, options, { ...state, domain, nonce: state.nonce, revert: revert ?? '0x' })
}

type PermitState = {
  readonly allowanceRaw: bigint
  readonly nonce: bigint | undefined
  readonly timestampSeconds: bigint
}

async function readPermitState(
  { reader, router }: verifyPermit.Dependencies,
  { owner, swap }: verifyPermit.Options<PlainPermit>,
): Promise<PermitState> {
  const calls = [
    encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, router] }),
    encodeFunctionData({ abi: permitAbi, functionName: 'nonces', args: [owner] }),
  ].map((data) => ({ target: swap.tokenIn, data }))
  const { results, timestampSeconds } = await reader.aggregate(calls)
  return {
    allowanceRaw: decodeResult(results[0], erc20Abi, 'allowance'),
    nonce: findNumber(results[1]),
    timestampSeconds,
  }
}

/** Returns the error for a permit that the token refuses. */
async function explainRefusal(
  dependencies: verifyPermit.Dependencies,
  { owner, swap, permit, nonce: signedNonce }: verifyPermit.Options<PlainPermit>,
  { domain, nonce, timestampSeconds, revert }: PermitState & Refused,
): Promise<ServiceError> {
  const { deadlineSeconds, amountRaw: valueRaw, signature } = permit
  const [code, others] = await Promise.all([
    readCode(dependencies.rpc, owner),
    readOthers(dependencies, { owner, token: swap.tokenIn }),
  ]).catch(rethrowUpstream)
  const fault = await findPermitFault({
    permit: { domain, owner, spender: dependencies.router, valueRaw, nonce, deadlineSeconds },
    signature,
    signedNonce,
    timestampSeconds,
    neededRaw: getCapRaw(swap),
    others,
  })
  if (fault !== undefined) return Errors.invalidPermit({ reason: fault })
  const failure = toRevertError(decodeRevert(revert), { token: swap.tokenIn })
  return code === 'none' || failure.code === 'svc/token-paused' ? failure : Errors.invalidPermit({ reason: 'signer' })
}

type Refused = { readonly domain: PermitDomain; readonly nonce: bigint; readonly revert: Hex }

const maxOthers = 8

/** Reads the domains and nonces of the other known tokens that an owner may have signed a permit for. */
async function readOthers(
  { reader, tokenPermits }: verifyPermit.Dependencies,
  { owner, token }: { readonly owner: Address; readonly token: Address },
): Promise<findPermitFault.Options['others']> {
  const others = tokenPermits.list().filter((other) => other !== token)
  const tokens = others.slice(0, maxOthers)
  const data = encodeFunctionData({ abi: permitAbi, functionName: 'nonces', args: [owner] })
  const [permits, { results }] = await Promise.all([
    Promise.all(tokens.map(async (other) => await tokenPermits.get(other))),
    reader.aggregate(tokens.map((target) => ({ target, data }))),
  ])
  return permits.flatMap(({ domain }, index) => {
    const nonce = findNumber(results[index])
    return domain && nonce !== undefined ? [{ domain, nonce }] : []
  })
}
