import type { CallPermit, Chain, ConversionAmounts } from '@agio/chain'
import { Amount, Errors } from '@agio/core'
import type { Hex } from 'viem'
import { toQuoteDigest } from '../quote/createQuoteSigner.ts'
import type { SignedPermit } from '../schema/permit.ts'

/**
 * Accepts the signature that pays a conversion after the token or Permit2 has accepted it in a call of the real
 * function. So a signature that would fail on chain is refused here.
 *
 * @param quote the text of the quote; undefined for a conversion of amounts
 * @throws `svc/invalid-permit` with the reason. The reason is also `domain` if the called contract does not accept
 * signatures of this kind. `svc/invalid-request` for `permit2` without a quote
 */
export async function acceptPermit(
  chain: Chain,
  call: Call,
  { permit, quote }: { readonly permit: SignedPermit; readonly quote?: string | undefined },
): Promise<CallPermit> {
  const { userAddress: owner, tokenIn, tokenOut, deadlineSeconds, recipient = owner, pool, ...amounts } = call
  assertQuoteOfPermit2(permit, quote)
  if (pool !== undefined)
    throw Errors.invalidPermit({ reason: 'domain', state: `the pool ${pool} does not accept signatures` })
  const features = await chain.conversions.getRouterFeatures()
  if (!features[permit.kind])
    throw Errors.invalidPermit({ reason: 'domain', state: `the router of this network does not accept ${permit.kind}` })
  const accepted = toCallPermit(call, { permit, quote })
  const swap = { ...amounts, tokenIn: tokenIn.address, tokenOut: tokenOut.address, recipient, deadlineSeconds }
  await chain.permits.verify({ owner, swap, permit: accepted, nonce: toNonce(permit) })
  return accepted
}

type Call = ConversionAmounts & Omit<Parameters<Chain['conversions']['build']>[0], 'gas' | 'permit'>

/**
 * Asserts that a Permit2 signature has a quote. Permit2 pays only quotes, because the digest of the quote is the nonce.
 * @throws `svc/invalid-request`
 */
function assertQuoteOfPermit2({ kind }: SignedPermit, quote: string | undefined): void {
  if (kind === 'permit' || quote !== undefined) return
  throw Errors.invalidRequest({
    field: 'permit.kind',
    value: kind,
    reason: 'Permit2 pays only quotes, and quote is missing',
  })
}

/** Asserts that a Permit2 signature has the terms of the conversion. @throws `svc/invalid-permit` */
function toCallPermit(
  call: Call,
  { permit, quote = '' }: { readonly permit: SignedPermit; readonly quote?: string | undefined },
): CallPermit {
  const capRaw = call.mode === 'exact-in' ? call.amountInRaw : call.maxAmountInRaw
  const { amount, kind } = permit
  const amountRaw = amount === undefined ? capRaw : Amount.parse(amount, call.tokenIn.decimals, 'permit.amount')
  const signature = permit.signature.toLowerCase() as Hex
  if (kind === 'permit') return { kind, amountRaw, deadlineSeconds: BigInt(permit.deadline), signature }
  if (amountRaw !== capRaw)
    throw Errors.invalidPermit({ reason: 'amount', state: 'it is not for the largest amount that the quote may cost' })
  if (BigInt(permit.deadline) !== call.deadlineSeconds) {
    throw Errors.invalidPermit({ reason: 'deadline', state: 'its deadline is not the expiry of the quote' })
  }
  return { kind, quoteDigest: toQuoteDigest(quote), signature }
}

function toNonce({ nonce }: SignedPermit): bigint | undefined {
  return nonce === undefined ? undefined : BigInt(nonce)
}
