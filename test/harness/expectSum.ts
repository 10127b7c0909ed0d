import { Amount } from '@agio/core'
import { expect } from 'vitest'

/** A conversion of a receipt, as it comes over the wire. */
type Row = {
  readonly amountOut: string
  readonly oracleAmountOut: string
  readonly parts: Readonly<Record<'priceMove' | 'impact' | 'fee' | 'rounding', string>>
  readonly tokenOut: { readonly decimals: number }
}

/** Expects that the parts of a conversion explain its output to the raw unit, and returns them in raw units. */
export function expectSum(row: unknown) {
  const { amountOut, oracleAmountOut, parts, tokenOut } = row as Row
  const toRaw = (text: string) => parseSigned(text, tokenOut.decimals)
  const [oracleRaw, priceMoveRaw, impactRaw] = [oracleAmountOut, parts.priceMove, parts.impact].map(toRaw) as Three
  const [feeRaw, roundingRaw, outRaw] = [parts.fee, parts.rounding, amountOut].map(toRaw) as Three
  expect(oracleRaw + priceMoveRaw + impactRaw - feeRaw - roundingRaw - outRaw).toBe(0n)
  return { oracleRaw, priceMoveRaw, impactRaw, feeRaw, roundingRaw, outRaw }
}

type Three = [bigint, bigint, bigint]

/** The raw units of a decimal that may be negative or zero, written with every digit. */
function parseSigned(text: string, decimals: number): bigint {
  const raw = BigInt(text.replace('.', ''))
  expect(text).toBe(Amount.formatSigned(raw, decimals))
  return raw
}
