import { type Address, Errors } from '@agio/core'
import { type Abi, type Hex, encodeFunctionData, zeroAddress } from 'viem'
import { exactOutRouterAbi, permitRouterAbi, poolAbi, routerAbi } from '../abi/index.ts'

/**
 * The amounts of a conversion, in raw units: an exact input with the smallest output, or an exact output with the
 * largest input.
 */
export type ConversionAmounts =
  | { readonly mode: 'exact-in'; readonly amountInRaw: bigint; readonly minAmountOutRaw: bigint }
  | { readonly mode: 'exact-out'; readonly maxAmountInRaw: bigint; readonly amountOutRaw: bigint }

/** The arguments of a conversion, by a router or by one pool. */
export type ConversionCall = ConversionAmounts & {
  readonly target: 'router' | 'pool'
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The token between the two pools of a route; undefined for a pool. */
  readonly quoteToken?: Address | undefined
  /** The account that is paid; the caller if undefined. A call with a permit always sets it. */
  readonly recipient?: Address | undefined
  readonly deadlineSeconds: bigint
  /** The permit that pays, for a router with `IPermitRouter`; undefined if an allowance pays. */
  readonly permit?: CallPermit | undefined
}

/**
 * The signature that pays a conversion by a router instead of an allowance: an EIP-2612 permit, or a signature for
 * Permit2.
 */
export type CallPermit =
  | {
      readonly kind: 'permit'
      /** The allowance that the permit sets, in raw units. */
      readonly amountRaw: bigint
      /** Unix seconds. The permit expires then. The deadline of the conversion is separate. */
      readonly deadlineSeconds: bigint
      readonly signature: Hex
    }
  | {
      readonly kind: 'permit2'
      /** The digest of the quote, which is also the nonce. */
      readonly quoteDigest: Hex
      readonly signature: Hex
    }

/** Encodes the calldata of a conversion. @throws `svc/recipient-unsupported` for a pool, which pays its caller */
export function encodeConversionCall(call: ConversionCall): Hex {
  if (call.target === 'pool') return encodePoolCall(call)
  return call.permit === undefined ? encodeRouterCall(call) : encodePermitCall(call, call.permit)
}

function encodePoolCall(call: ConversionCall): Hex {
  const { tokenIn, tokenOut, recipient, deadlineSeconds } = call
  if (recipient !== undefined) throw Errors.recipientUnsupported({ recipient, callee: 'a pool' })
  const args = [tokenIn, tokenOut, ...toLimits(call), deadlineSeconds] as const
  return encodeFunctionData({ abi: poolAbi, functionName: functionNames[call.mode], args })
}

function encodeRouterCall(call: ConversionCall): Hex {
  const { quoteToken = zeroAddress, tokenIn, tokenOut, recipient, deadlineSeconds } = call
  const swap = [quoteToken, tokenIn, tokenOut, ...toLimits(call)] as const
  const functionName = functionNames[call.mode]
  return recipient === undefined
    ? encodeFunctionData({ abi: routersAbi, functionName, args: [...swap, deadlineSeconds] })
    : encodeFunctionData({
        abi: routersAbi,
        functionName: `${functionName}To`,
        args: [...swap, recipient, deadlineSeconds],
      })
}

function encodePermitCall(call: ConversionCall, permit: CallPermit): Hex {
  const { quoteToken: quote = zeroAddress, tokenIn: origin, tokenOut: target, recipient, deadlineSeconds } = call
  if (recipient === undefined) throw new Error('Cannot encode a conversion with a permit: it has no recipient')
  const amounts =
    call.mode === 'exact-in'
      ? { originAmount: call.amountInRaw, minTargetAmount: call.minAmountOutRaw }
      : { maxOriginAmount: call.maxAmountInRaw, targetAmount: call.amountOutRaw }
  const swap = { quote, origin, target, ...amounts, recipient, deadline: deadlineSeconds }
  const [suffix, ...proof] =
    permit.kind === 'permit' ? ['Permit', toPermit(permit)] : ['Permit2', permit.quoteDigest, permit.signature]
  const functionName = `${functionNames[call.mode]}With${suffix}`
  return encodeFunctionData<Abi, string>({ abi: permitRouterAbi, functionName, args: [swap, ...proof] })
}

function toPermit({ amountRaw, deadlineSeconds, signature }: Extract<CallPermit, { readonly kind: 'permit' }>) {
  return { amount: amountRaw, deadline: deadlineSeconds, signature }
}

/** The functions of routers without a permit. */
export const routersAbi = [...routerAbi, ...exactOutRouterAbi] as const

const functionNames = { 'exact-in': 'originSwap', 'exact-out': 'targetSwap' } as const

/** Returns the two amounts in the order of the calldata: input before output. */
function toLimits(call: ConversionCall): readonly [bigint, bigint] {
  return call.mode === 'exact-in' ? [call.amountInRaw, call.minAmountOutRaw] : [call.maxAmountInRaw, call.amountOutRaw]
}
