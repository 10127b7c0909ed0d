import type { ChainId } from '../api/schemas.ts'
import { clientError } from '../errors/AgioError.ts'
import * as Decimal from '../quote/Decimal.ts'
import { formatValue } from '../quote/mismatch.ts'
import type { ConversionState } from './ConversionState.ts'

/** What a stored conversion must be. Absent fields may have any value, except `recipient`. */
export type ExpectedRequest = {
  readonly chainId?: ChainId | undefined
  readonly tokenIn?: `0x${string}` | undefined
  readonly tokenOut?: `0x${string}` | undefined
  /** The exact amount to pay, in whole tokens. */
  readonly amountIn?: string | undefined
  /** The exact amount to receive, in whole tokens. */
  readonly amountOut?: string | undefined
  /** For an exact input: the smallest amount that may be received, or less. */
  readonly minAmountOut?: string | undefined
  /** For an exact output: the largest amount that may be paid, or more. */
  readonly maxAmountIn?: string | undefined
  /** The account that is paid. Default: the account that pays. */
  readonly recipient?: `0x${string}` | undefined
}

/** Asserts that a stored conversion is the expected one. @throws `convert/invalid-step` that names the first other field */
export function assertExpected({ quote, account }: ConversionState, expected: ExpectedRequest): void {
  const { request } = quote
  const actual: Readonly<Record<string, unknown>> = {
    ...request,
    // These limits are kept if the quote expires.
    minAmountOut: request.minAmountOut ?? quote.minAmountOut,
    maxAmountIn: request.maxAmountIn ?? quote.maxAmountIn,
    recipient: request.recipient ?? account,
  }
  for (const [name, value] of Object.entries({ recipient: account, ...withoutUndefined(expected) })) {
    if (isExpected(name, value, actual[name])) continue
    const reason = `its ${name} is ${formatValue(actual[name])}, not ${formatValue(value)}`
    throw clientError('convert/invalid-step', `Cannot resume from the step: ${reason}`, { reason })
  }
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

// More decimals than any token has.
const maxDecimals = 80

function isExpected(name: string, expected: unknown, actual: unknown): boolean {
  if (!/amount/i.test(name)) return formatValue(expected).toLowerCase() === formatValue(actual).toLowerCase()
  const [least, raw] = [expected, actual].map((amount) => Decimal.parse(amount, maxDecimals))
  if (least === undefined || raw === undefined) return false
  return least === raw || (name === 'minAmountOut' && raw > least) || (name === 'maxAmountIn' && raw < least)
}
