import type * as Curve from '../src/curve/Curve.ts'
import { CurveRevert } from '../src/curve/CurveRevert.ts'

const scale = 10n ** 18n
const fixed = (value: bigint) => (value << 64n) / scale

// The family deploys with these parameters: a halt at 50 %, a flat zone of 35 %, 15 % at the halt, and a fee of 0.05 %.
const [alpha, beta] = [fixed(scale / 2n + 1n), fixed((scale * 35n) / 100n + 1n)]
const parameters = {
  alpha,
  beta,
  delta: (fixed((scale * 15n) / 100n) << 64n) / (2n * (alpha - beta)) + 18n,
  epsilon: fixed(scale / 2000n + 1n),
  lambda: fixed(scale + 1n),
}

/**
 * Returns a balanced pool of the family with a million dollars on each side. Both tokens have six decimals and are
 * worth a dollar.
 *
 * @param changes changes to the side of token 0
 */
export function curvePoolOf(changes: Partial<Curve.Side> = {}): Curve.Curve {
  const side = { balanceRaw: 10n ** 12n, answer: 10n ** 8n, oracleDecimals: 8, tokenDecimals: 6 }
  return { ...parameters, sides: [{ ...side, ...changes }, side] }
}

/** Returns the reason for which a pool of the family refuses to price, or the price. */
export function refusalOf(price: () => bigint): string {
  try {
    return String(price())
  } catch (error) {
    if (error instanceof CurveRevert) return error.reason
    throw error
  }
}
