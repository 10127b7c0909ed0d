import type { ConvertLadder } from '@agio/sdk'
import { fromRaw, toRaw } from '../amount/rawUnits.ts'

// A ladder takes 50 amounts at most.
const count = 50n

/** Lists evenly spaced amounts up to the largest one that a ladder pays for, in ascending order; undefined if it pays for none. */
export function listEvenAmounts({ rows, tokenIn: { decimals } }: Ladder): readonly string[] | undefined {
  const largest = rows.findLast(({ amountOut }) => amountOut !== undefined)
  if (!largest) return undefined
  const maxRaw = toRaw(largest.amountIn, decimals)
  const amounts = Array.from({ length: Number(count) }, (_, index) => (maxRaw * BigInt(index + 1)) / count)
  return [...new Set(amounts)].filter((raw) => raw > 0n).map((raw) => fromRaw(raw, decimals))
}

type Ladder = Pick<ConvertLadder, 'rows' | 'tokenIn'>
