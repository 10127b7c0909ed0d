import type { Curve } from '@agio/core'
import type { RawCurveState, RawPoolState } from '../reader/decodeResult.ts'
import type { PoolReading } from './readPoolStates.ts'
import { verifyProbe, type Verdict } from './verifyProbe.ts'

/** Returns the code and parameters of a pool, which determine whether our maths fits the pool. */
export function keyOf(raw: RawPoolState): string {
  return [codeOf(raw), raw.alpha, raw.beta, raw.delta, raw.epsilon, raw.lambda].join()
}

/** Returns the code of a pool. If this code computes another curve, it does so with any parameters. */
export function codeOf({ pool, codeHash }: RawPoolState): string {
  return `${pool},${codeHash}`
}

/** Returns whether a pool charges a penalty for imbalance, which our maths does not compute. */
export function hasPenalty({ beta, delta, lambda }: RawPoolState): boolean {
  return beta + delta + lambda > 0n
}

/** Compares the probe of a reading with our computation of its curve; undefined if the pool does not return the curve. */
export function judgeReading({ raw, curve: read }: PoolReading): Verdict | undefined {
  const curve = toCurveState(raw, read)
  if (!curve || !read) return undefined
  const { paysBase, amount, isPaid, data } = read
  return verifyProbe(curve, { inputIndex: paysBase ? 0 : 1, amountRaw: amount }, { success: isPaid, data })
}

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
