import { CurveRevert, divideIntegers, multiplyInteger, toUint256 } from './fixedPoint.ts'

/** A pool of the DFX v2 / Stabull v1 family at one block, with the values that its contracts store. */
export type CurveState = CurveParameters & { readonly sides: readonly [CurveSide, CurveSide] }

/** The parameters of a curve, as 64.64 fixed-point numbers, returned by `curve()` of the pool. */
export type CurveParameters = {
  /** The halt: how far a side may move from its ideal share of the pool's value. */
  readonly alpha: bigint
  /** The flat zone: how far a side may move without a penalty. */
  readonly beta: bigint
  /** How steeply the penalty grows beyond the flat zone. */
  readonly delta: bigint
  /** The fee on the output. */
  readonly epsilon: bigint
  /** The part of the penalty that is paid back to a swap that moves a side closer to its ideal share. */
  readonly lambda: bigint
}

/** One side of a pool. */
export type CurveSide = {
  /** The pool's balance of the token, in raw units. */
  readonly balanceRaw: bigint
  /** Dollars per whole token in the decimals of the oracle: its raw answer. */
  readonly answer: bigint
  /** Immutables of the assimilator. They may differ from the decimals of the oracle and of the token. */
  readonly oracleDecimals: number
  readonly tokenDecimals: number
}

/** Returns the value of raw units of a side in dollars, as a 64.64 number. @throws CurveRevert */
export function toNumeraire({ answer, oracleDecimals, tokenDecimals }: CurveSide, amountRaw: bigint): bigint {
  const value = toUint256(amountRaw * toRate(answer)) / 10n ** BigInt(oracleDecimals)
  return divideIntegers(value, 10n ** BigInt(tokenDecimals))
}

/** Returns the raw units of a value in dollars that is not negative, rounded down. @throws CurveRevert */
export function toRawUnits({ answer, oracleDecimals, tokenDecimals }: CurveSide, value: bigint): bigint {
  const units = multiplyInteger(value, 10n ** BigInt(tokenDecimals))
  const dividend = toUint256(units * 10n ** BigInt(oracleDecimals))
  const rate = toRate(answer)
  if (rate === 0n) throw new CurveRevert('panic 0x12')
  return dividend / rate
}

/** Converts an answer to unsigned, as the contracts of the family do. */
function toRate(answer: bigint): bigint {
  return BigInt.asUintN(256, answer)
}
