import type { Chain, Snapshot } from '@agio/chain'
import { Amount, toTimestamp, type PoolState } from '@agio/core'
import { z } from 'zod'
import { decimal, timestamp } from '../schema/fields.ts'
import { tokenReference, toTokenReference } from '../schema/tokens.ts'

/** What both previews of liquidity show: a pool's two tokens with amounts of them, and the block. */
export const poolFigures = z.object({
  token0: tokenReference,
  token1: tokenReference,
  amounts: z.object({ token0: decimal, token1: decimal }),
  shareOfPool: z
    .string()
    .regex(/^\d+\.\d{8,}%$/)
    .meta({ example: '0.49751243%' }),
  blockNumber: z.int(),
  blockTimestamp: timestamp,
})

/** Writes what a view of a pool answered; the share of the pool is the preview's own. */
export function toPoolFigures(
  { base, quote }: PoolState,
  { baseRaw, quoteRaw }: toPoolFigures.Amounts,
  { block }: Snapshot,
): Omit<z.output<typeof poolFigures>, 'shareOfPool'> {
  return {
    token0: toTokenReference(base.token),
    token1: toTokenReference(quote.token),
    amounts: {
      token0: Amount.format(baseRaw, base.token.decimals),
      token1: Amount.format(quoteRaw, quote.token.decimals),
    },
    blockNumber: Number(block.number),
    blockTimestamp: toTimestamp(block.timestampSeconds),
  }
}

export declare namespace toPoolFigures {
  /** Raw units of the pool's two tokens. */
  type Amounts = Awaited<ReturnType<Chain['viewWithdraw']>>
}
