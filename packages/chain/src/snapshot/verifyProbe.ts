import { CurveRevert, viewCurve, type CurveState, type CurveSwap } from '@agio/core'
import { size, type Hex } from 'viem'
import type { Result } from '../reader/decodeReaderResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'

/**
 * What the view of a pool says of our computation of its curve: it agrees, to the last unit or by the reason of its refusal; it
 * disagrees; or its factory has frozen the pool, which says nothing.
 */
export type Verdict = 'agrees' | 'disagrees' | 'frozen'

/** Compares the result of a pool's view of an exact input with our computation at the same state. */
export function verifyProbe(curve: CurveState, swap: CurveSwap, { success, data }: Result): Verdict {
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

/** Whether a swap is refused since a value does not fit a type: the family checks some by its library, and some by a panic. */
function isOverflow(reason: bigint | string): boolean {
  return reason === '' || reason === 'panic 0x11' || reason === 'panic 0x12'
}

function tryView(curve: CurveState, swap: CurveSwap): bigint | string {
  try {
    return viewCurve(curve, swap)
  } catch (error) {
    if (error instanceof CurveRevert) return error.reason
    throw error
  }
}

/** The reason of a revert as `CurveRefusal` writes it. */
function toReason(data: Hex): string {
  const { name, args } = decodeRevert(data)
  if (name === 'Revert') return ''
  if (name === 'Error') return args[0] ?? ''
  return name === 'Panic' ? `panic 0x${BigInt(args[0] ?? 0).toString(16)}` : name
}
