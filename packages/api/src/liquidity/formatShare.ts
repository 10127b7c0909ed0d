import { Rate } from '@agio/core'

/** Writes which part of a pool's LP tokens an amount is, as percent with at least eight significant digits, cut off. */
export function formatShare(lpAmountRaw: bigint, supplyRaw: bigint): string {
  // A hundredth of the supply has two decimals fewer.
  return `${Rate.format({ raw: supplyRaw, decimals: 18 }, { raw: lpAmountRaw, decimals: 16 })}%`
}
