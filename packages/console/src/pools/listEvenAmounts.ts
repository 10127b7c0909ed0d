import type { ConvertLadder } from '@agio/sdk'
import { fromRaw, toRaw } from '../amount/rawUnits.ts'

// A ladder has at most 50 amounts.
const count = 50n

/**
 * Lists evenly spaced amounts up to the largest convertible amount of a ladder, in ascending order. Returns undefined
 * if the ladder has no convertible amount.
 */
export function listEvenAmounts({ rows, tokenIn: { decimals } }: Ladder): readonly string[] | undefined {
  const largest = rows.findLast(({ amountOut }) => amountOut !== undefined)
  if (!largest) return undefined
  const maxRaw = toRaw(largest.amountIn, decimals)
  const amounts = Array.from({ length: Number(count) }, (_, index) => (maxRaw * BigInt(index + 1)) / count)
  return [...new Set(amounts)].filter((raw) => raw > 0n).map((raw) => fromRaw(raw, decimals))
}

type Ladder = Pick<ConvertLadder, 'rows' | 'tokenIn'>
