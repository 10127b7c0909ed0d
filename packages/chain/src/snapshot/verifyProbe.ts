import { Curve, CurveRevert } from '@agio/core'
import { size, type Hex } from 'viem'
import type { Result } from '../reader/decodeResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'

/**
 * The result of comparing a pool's view with our computation of its curve. `agrees` means the same amount to the last
 * unit, or a refusal for the same reason. `disagrees` means any other result. `frozen` means that the view reverts for a
 * frozen pool, which proves nothing.
 */
export type Verdict = 'agrees' | 'disagrees' | 'frozen'

/** Compares the result of a pool's view of an exact input with our computation at the same state. */
export function verifyProbe(curve: Curve.Curve, swap: Curve.Swap, { success, data }: Result): Verdict {
  const expected = tryView(curve, swap)
  if (success) return size(data) === 32 && BigInt(data) === expected ? 'agrees' : 'disagrees'
  const reason = toReason(data)
  if (frozenReasons.has(reason)) return 'frozen'
  return reason === expected || (isOverflow(reason) && isOverflow(expected)) ? 'agrees' : 'disagrees'
}

const frozenReasons: ReadonlySet<string> = new Set([
  'Curve/frozen-only-allowing-proportional-withdraw',
  'Curve/frozen-globally-only-allowing-proportional-withdraw',
])

/**
 * Returns whether a swap is refused because a value does not fit a type. In pools of the family, a library reverts
 * without a reason for some of these values, and others cause a panic.
 */
function isOverflow(reason: bigint | string): boolean {
  return reason === '' || reason === 'panic 0x11' || reason === 'panic 0x12'
}

function tryView(curve: Curve.Curve, swap: Curve.Swap): bigint | string {
  try {
    return Curve.view(curve, swap)
  } catch (error) {
    if (error instanceof CurveRevert) return error.reason
    throw error
  }
}

/** Returns the reason of a revert in the form of `CurveRefusal`. */
function toReason(data: Hex): string {
  const { name, args } = decodeRevert(data)
  if (name === 'Revert') return ''
  if (name === 'Error') return args[0] ?? ''
  return name === 'Panic' ? `panic 0x${BigInt(args[0] ?? 0).toString(16)}` : name
}
