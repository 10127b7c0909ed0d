import type { Curve } from '@agio/core'
import type { RawCurveState, RawPoolState } from '../reader/decodeReaderResult.ts'

/** Returns the curve of a pool of the family; undefined if the pool does not return it, or returns invalid values. */
export function toCurveState(raw: RawPoolState, curve: RawCurveState | undefined): Curve.Curve | undefined {
  if (!curve?.isReadable) return undefined
  const { alpha, beta, delta, epsilon, lambda, baseRate, quoteRate } = curve
  const parameters = { alpha, beta, delta, epsilon, lambda }
  if (!Object.values(parameters).every(isInt128)) return undefined
  if (![baseRate, quoteRate].every(hasPlausibleDecimals)) return undefined
  return { ...parameters, sides: [toSide(raw.baseReserve, baseRate), toSide(raw.quoteReserve, quoteRate)] }
}

type RawRate = RawCurveState['baseRate']

function toSide(balanceRaw: bigint, { rate, oracleDecimals, tokenDecimals }: RawRate): Curve.Side {
  return { balanceRaw, answer: rate, oracleDecimals: Number(oracleDecimals), tokenDecimals: Number(tokenDecimals) }
}

function isInt128(value: bigint): boolean {
  return BigInt.asIntN(128, value) === value
}

// A larger power of ten would not fit a word.
const maxDecimals = 77n

function hasPlausibleDecimals({ oracleDecimals, tokenDecimals }: RawRate): boolean {
  return oracleDecimals <= maxDecimals && tokenDecimals <= maxDecimals
}
