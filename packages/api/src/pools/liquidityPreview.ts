import type { Chain, Snapshot } from '@agio/chain'
import { Amount, Rate, Timestamp, type Pool } from '@agio/core'
import { z } from 'zod'
import { blockNumber, blockTimestamp, decimal } from '../schema/fields.ts'
import { otherTokenExample, tokenReference, toTokenReference } from '../schema/tokens.ts'

/** The fields of both liquidity previews: the pool's tokens, their amounts, the share of the pool and the block. */
export const liquidityPreview = z.object({
  token0: tokenReference.meta({ description: 'First token of the pool', example: otherTokenExample }),
  token1: tokenReference.describe('Second token of the pool'),
  amounts: z
    .object({
      token0: decimal.meta({ description: 'Amount of the first token', example: '767.813267' }),
      token1: decimal.meta({ description: 'Amount of the second token', example: '500.000000' }),
    })
    .describe('Amounts of both tokens'),
  shareOfPool: z
    .string()
    .regex(/^\d+\.\d{8,}%$/)
    .meta({ description: 'Share of the LP tokens of the pool', example: '0.05000000%' }),
  blockNumber,
  blockTimestamp,
})

/** Returns the shared fields of a liquidity preview, without the share of the pool. */
export function toLiquidityPreview(
  { base, quote }: Pool.Pool,
  { baseRaw, quoteRaw }: Amounts,
  { block }: Snapshot,
): Omit<z.output<typeof liquidityPreview>, 'shareOfPool'> {
  return {
    token0: toTokenReference(base.token),
    token1: toTokenReference(quote.token),
    amounts: {
      token0: Amount.format(baseRaw, base.token.decimals),
      token1: Amount.format(quoteRaw, quote.token.decimals),
    },
    blockNumber: Number(block.number),
    blockTimestamp: Timestamp.fromSeconds(block.timestampSeconds),
  }
}

/** Raw units of the pool's two tokens. */
type Amounts = Awaited<ReturnType<Chain['liquidity']['viewWithdraw']>>

/** Formats an amount of LP tokens as percent of their supply, with at least eight significant digits, rounded down. */
export function formatShare(lpAmountRaw: bigint, supplyRaw: bigint): string {
  // 16 decimals instead of 18 multiply by 100.
  return `${Rate.format({ raw: supplyRaw, decimals: 18 }, { raw: lpAmountRaw, decimals: 16 })}%`
}
