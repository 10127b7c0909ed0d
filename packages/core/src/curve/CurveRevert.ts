/**
 * Why a contract of the family reverts: its reason, or the code of a panic, or an empty text if a 64.64 number does not
 * fit. Panic 0x11 means that a sum or product does not fit, and panic 0x12 means a division by zero.
 */
export type CurveRefusal =
  | 'Curve/upper-halt'
  | 'Curve/lower-halt'
  | 'Curve/swap-convergence-failed'
  | 'Curve/swap-invariant-violation'
  | 'panic 0x11'
  | 'panic 0x12'
  | ''

/** A revert of the contract, found by our computation. */
export class CurveRevert extends Error {
  override name = 'CurveRevert'
  readonly reason: CurveRefusal

  constructor(reason: CurveRefusal) {
    super(`The contract reverts: ${reason || 'without a reason'}`)
    this.reason = reason
  }
}
