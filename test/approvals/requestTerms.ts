import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseUnits } from 'viem'
import { expect } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { requestQuote } from '../harness/executeQuote.ts'

/** A conversion that a user wants, in whole tokens: of an exact input or an exact output. */
export type Conversion = {
  readonly from: string
  readonly to: string
  readonly amountIn?: string
  readonly amountOut?: string
  readonly recipient?: Address
}

/** The terms from which a conversion is built, and the amounts that it must move. */
export type Terms = {
  /** The fields of a build, a broadcast, a plan and a receipt that name the conversion. */
  readonly build: Readonly<Record<string, unknown>>
  readonly broadcast: Readonly<Record<string, unknown>>
  readonly plan: Readonly<Record<string, unknown>>
  readonly receipt: Readonly<Record<string, unknown>>
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Raw units. */
  readonly inRaw: bigint
  readonly outRaw: bigint
  /** The maximum that it may take, in raw units: the amount to approve. */
  readonly capRaw: bigint
  /** When a quote expires, as ISO 8601. */
  readonly expiresAt?: string
}

/** Requests a quote of a conversion. */
export async function requestQuoted(
  call: Caller,
  chain: LocalChain,
  { from, to, ...rest }: Conversion,
): Promise<Terms> {
  const [tokenIn, tokenOut] = [chain.tokens[from], chain.tokens[to]] as [Address, Address]
  const quoted = await requestQuote(call, { chainId: chain.chainId, tokenIn, tokenOut, ...rest })
  const { quote, expiresAt, amountIn, amountOut, maxAmountIn = amountIn } = quoted
  const named = { quote }
  const [inRaw = 0n, outRaw = 0n, capRaw = 0n] = [amountIn, amountOut, maxAmountIn].map((text) => parseUnits(text, 6))
  return {
    build: named,
    broadcast: named,
    plan: named,
    receipt: named,
    tokenIn,
    tokenOut,
    inRaw,
    outRaw,
    capRaw,
    expiresAt,
  }
}

/** Requests a preview of an exact input, for a conversion without a quote. */
export async function requestPreviewed(
  call: Caller,
  { chainId, tokens }: LocalChain,
  { from, to, amountIn }: Conversion,
): Promise<Terms> {
  const [tokenIn, tokenOut] = [tokens[from], tokens[to]] as [Address, Address]
  const { status, data } = await call('convert.preview', { chainId, tokenIn, tokenOut, amountIn })
  expect(status).toBe(200)
  const { amountOut = '', recommendedMinAmountOut: minAmountOut } = data as Record<string, string>
  const common = { chainId, tokenIn, tokenOut, amountIn }
  const inRaw = parseUnits(amountIn ?? '', 6)
  return {
    build: { ...common, minAmountOut },
    broadcast: { ...common, expectedAmountOut: amountOut },
    plan: { chainId, tokenAddress: tokenIn, amount: amountIn },
    receipt: { chainId },
    tokenIn,
    tokenOut,
    inRaw,
    outRaw: parseUnits(amountOut, 6),
    capRaw: inRaw,
  }
}
