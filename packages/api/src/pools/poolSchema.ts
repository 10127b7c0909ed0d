import { Amount, type PoolState } from '@agio/core'
import { z } from 'zod'
import { addressOut } from '../schema/fields.ts'
import { tokenReference, toTokenReference } from '../schema/tokens.ts'

const reserve = z.string().regex(/^\d+\.\d{6}$/)

/** A pool with what it holds. */
export const pool = z
  .object({
    address: addressOut,
    name: z.string().meta({ example: 'tAUD/tUSD' }),
    chainId: z.int(),
    token0: tokenReference,
    token1: tokenReference,
    reserves: z.object({ token0: reserve, token1: reserve }),
    totalSupply: z.string().regex(/^\d+\.\d{18}$/),
  })
  .meta({ id: 'Pool' })

/** Writes a pool: reserves with 6 fractional digits, cut off; LP shares with 18. */
export function toPool({ address, base, quote, totalSupply }: PoolState, chainId: number): z.output<typeof pool> {
  return {
    address,
    name: `${base.token.symbol}/${quote.token.symbol}`,
    chainId,
    token0: toTokenReference(base.token),
    token1: toTokenReference(quote.token),
    reserves: {
      token0: Amount.formatFixed(base.reserve, base.token.decimals, 6),
      token1: Amount.formatFixed(quote.reserve, quote.token.decimals, 6),
    },
    totalSupply: Amount.format(totalSupply, 18),
  }
}
