import type { Address } from '@agio/core'
import { type Hex, decodeFunctionData, type Abi, type DecodeFunctionDataReturnType } from 'viem'
import { type ConversionCall, encodeConversionCall, routersAbi } from './ConversionCall.ts'
import { permitRouterAbi, poolAbi } from '../abi/index.ts'

/**
 * Decodes a call of the deployment's router or of one of its pools as a conversion.
 *
 * @returns undefined for any other call, and for data that differs from the canonical encoding of its arguments, for
 * example by bytes after the arguments, or by bytes in the padding of an address
 */
export function decodeConversionCall(
  transaction: decodeConversionCall.Transaction,
  deployment: decodeConversionCall.Contracts,
): DecodedConversionCall | undefined {
  const call = decodeExecutedCall(transaction, deployment)
  return call && encodeConversionCall(call) === transaction.data.toLowerCase() ? call : undefined
}

/**
 * Decodes an executed call of the deployment's router or of one of its pools, as that contract reads it: bytes after the
 * arguments are ignored. Returns undefined for any other call.
 */
export function decodeExecutedCall(
  { to, data }: decodeConversionCall.Transaction,
  { router, pools }: decodeConversionCall.Contracts,
): DecodedConversionCall | undefined {
  const call = parseConversionCall(data)
  if (call === undefined || to === undefined) return undefined
  return (call.target === 'router' ? [router] : pools).includes(to) ? { ...call, to } : undefined
}

export declare namespace decodeConversionCall {
  type Transaction = {
    /** The called contract, in checksum case. */
    readonly to: Address | undefined
    readonly data: Hex
  }
  type Contracts = { readonly router: Address; readonly pools: readonly Address[] }
}

/** A conversion, and the contract that it calls. */
export type DecodedConversionCall = ConversionCall & { readonly to: Address }

/** Parses the calldata of a conversion, as a contract reads it. Returns undefined for any other data. */
export function parseConversionCall(data: Hex): ConversionCall | undefined {
  const lowerCase = data.toLowerCase() as Hex
  return parsePoolCall(lowerCase) ?? parseRouterCall(lowerCase) ?? parsePermitCall(lowerCase)
}

function parsePoolCall(data: Hex): ConversionCall | undefined {
  const call = decode(poolAbi, data)
  if (call?.functionName !== 'originSwap' && call?.functionName !== 'targetSwap') return undefined
  const [tokenIn, tokenOut, first, second, deadlineSeconds] = call.args
  return { target: 'pool', tokenIn, tokenOut, deadlineSeconds, ...toAmounts(call.functionName, first, second) }
}

function parseRouterCall(data: Hex): ConversionCall | undefined {
  const call = decode(routersAbi, data)
  switch (call?.functionName) {
    case 'originSwap':
    case 'targetSwap': {
      const [quoteToken, tokenIn, tokenOut, first, second, deadlineSeconds] = call.args
      const swap = { target: 'router', quoteToken, tokenIn, tokenOut, deadlineSeconds } as const
      return { ...swap, ...toAmounts(call.functionName, first, second) }
    }
    case 'originSwapTo':
    case 'targetSwapTo': {
      const [quoteToken, tokenIn, tokenOut, first, second, recipient, deadlineSeconds] = call.args
      const swap = { target: 'router', quoteToken, tokenIn, tokenOut, recipient, deadlineSeconds } as const
      return { ...swap, ...toAmounts(call.functionName, first, second) }
    }
    default:
      return undefined
  }
}

function parsePermitCall(data: Hex): ConversionCall | undefined {
  const call = decode(permitRouterAbi, data)
  switch (call?.functionName) {
    case 'originSwapWithPermit':
    case 'targetSwapWithPermit': {
      const [swap, { amount: amountRaw, deadline: deadlineSeconds, signature }] = call.args
      return { ...toRouted(swap), permit: { kind: 'permit', amountRaw, deadlineSeconds, signature } }
    }
    case 'originSwapWithPermit2':
    case 'targetSwapWithPermit2': {
      const [swap, quoteDigest, signature] = call.args
      return { ...toRouted(swap), permit: { kind: 'permit2', quoteDigest, signature } }
    }
    default:
      return undefined
  }
}

type Swap = DecodeFunctionDataReturnType<typeof permitRouterAbi>['args'][0]

function toRouted({ quote, origin, target, recipient, deadline, ...amounts }: Swap): ConversionCall {
  const route = { target: 'router', quoteToken: quote, tokenIn: origin, tokenOut: target } as const
  const swap = { ...route, recipient, deadlineSeconds: deadline }
  return 'originAmount' in amounts
    ? { ...swap, mode: 'exact-in', amountInRaw: amounts.originAmount, minAmountOutRaw: amounts.minTargetAmount }
    : { ...swap, mode: 'exact-out', maxAmountInRaw: amounts.maxOriginAmount, amountOutRaw: amounts.targetAmount }
}

function toAmounts(functionName: string, first: bigint, second: bigint) {
  return functionName.startsWith('originSwap')
    ? ({ mode: 'exact-in', amountInRaw: first, minAmountOutRaw: second } as const)
    : ({ mode: 'exact-out', maxAmountInRaw: first, amountOutRaw: second } as const)
}

function decode<const abi extends Abi>(abi: abi, data: Hex): DecodeFunctionDataReturnType<abi> | undefined {
  try {
    return decodeFunctionData<abi>({ abi, data })
  } catch {
    return undefined
  }
}
