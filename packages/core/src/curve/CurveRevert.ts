/**
 * The reason with which a pool contract of the DFX family reverts. Panic 0x11 means that a sum or product does not fit,
 * panic 0x12 means a division by zero, and an empty text means that a 64.64 number does not fit.
 */
export type CurveRefusal =
  | 'Curve/upper-halt'
  | 'Curve/lower-halt'
  | 'Curve/swap-convergence-failed'
  | 'Curve/swap-invariant-violation'
  | 'panic 0x11'
  | 'panic 0x12'
  | ''

/** Thrown by our computation where the pool contract reverts. */
export class CurveRevert extends Error {
  override name = 'CurveRevert'
  readonly reason: CurveRefusal

  constructor(reason: CurveRefusal) {
    super(`The contract reverts: ${reason || 'without a reason'}`)
    this.reason = reason
  }
}
