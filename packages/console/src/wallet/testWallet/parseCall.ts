import { decodeFunctionData, parseAbi, size, slice } from 'viem'

/** A decoded contract call, `unknown` for an unknown function. */
export type Call =
  | { readonly kind: 'approve'; readonly name: string; readonly spender: Hex; readonly amountRaw: bigint }
  | ({ readonly kind: 'swap'; readonly name: string } & Swap)
  | { readonly kind: 'claim'; readonly name: string }
  | { readonly kind: 'unknown'; readonly name: string }

type Swap = {
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  /** The amount to pay. For an exact output, the largest amount. */
  readonly amountInRaw: bigint
  /** The amount to receive. For an exact input, the smallest amount. */
  readonly amountOutRaw: bigint
  readonly isExactOut: boolean
  /** Undefined if the sender is the recipient. */
  readonly recipient: Hex | undefined
  readonly deadlineSeconds: bigint
}

type Hex = `0x${string}`

/** Decodes calldata. Like contracts, it ignores bytes after the arguments. */
export function parseCall(data: Hex): Call {
  const decoded = decode(data)
  if (!decoded) return { kind: 'unknown', name: size(data) < 4 ? 'none' : slice(data, 0, 4) }
  const { functionName: name, args } = decoded
  if (name === 'claimAll') return { kind: 'claim', name }
  if (name === 'approve') return { kind: 'approve', name, spender: args[0], amountRaw: args[1] }
  // Some functions take a struct first, whose fields are the arguments of the swap.
  const [first] = args
  return { kind: 'swap', name, ...toSwap(typeof first === 'object' ? Object.values(first) : args, name) }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined
  }
}

/**
 * Reads the arguments of a swap. Router calls start with the intermediate token, pool calls do not. The recipient, if
 * any, precedes the deadline.
 */
function toSwap(values: readonly unknown[], name: string): Swap {
  const amountAt = values.findIndex((value) => typeof value === 'bigint')
  const [tokenIn, tokenOut, amountInRaw, amountOutRaw, ...rest] = values.slice(amountAt - 2)
  const recipient = rest.find((value) => typeof value === 'string')
  return {
    tokenIn: tokenIn as Hex,
    tokenOut: tokenOut as Hex,
    amountInRaw: amountInRaw as bigint,
    amountOutRaw: amountOutRaw as bigint,
    isExactOut: name.startsWith('target'),
    recipient: recipient as Hex | undefined,
    deadlineSeconds: rest.find((value) => typeof value === 'bigint') as bigint,
  }
}

const abi = parseAbi([
  'struct OriginSwap { address quote; address origin; address target; uint256 originAmount; uint256 minTargetAmount; address recipient; uint256 deadline; }',
  'struct TargetSwap { address quote; address origin; address target; uint256 maxOriginAmount; uint256 targetAmount; address recipient; uint256 deadline; }',
  'struct Permit { uint256 amount; uint256 deadline; bytes signature; }',
  'function approve(address spender, uint256 amount)',
  'function claimAll()',
  'function originSwap(address origin, address target, uint256 originAmount, uint256 minTargetAmount, uint256 deadline)',
  'function targetSwap(address origin, address target, uint256 maxOriginAmount, uint256 targetAmount, uint256 deadline)',
  'function originSwap(address quote, address origin, address target, uint256 originAmount, uint256 minTargetAmount, uint256 deadline)',
  'function targetSwap(address quote, address origin, address target, uint256 maxOriginAmount, uint256 targetAmount, uint256 deadline)',
  'function originSwapTo(address quote, address origin, address target, uint256 originAmount, uint256 minTargetAmount, address recipient, uint256 deadline)',
  'function targetSwapTo(address quote, address origin, address target, uint256 maxOriginAmount, uint256 targetAmount, address recipient, uint256 deadline)',
  'function originSwapWithPermit(OriginSwap swap, Permit permit)',
  'function targetSwapWithPermit(TargetSwap swap, Permit permit)',
  'function originSwapWithPermit2(OriginSwap swap, bytes32 quoteDigest, bytes signature)',
  'function targetSwapWithPermit2(TargetSwap swap, bytes32 quoteDigest, bytes signature)',
])
