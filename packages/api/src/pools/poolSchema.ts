import { Amount, type Pool } from '@agio/core'
import { z } from 'zod'
import { addressOut, chainIdOut } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { otherTokenExample, tokenReference, toTokenReference } from '../schema/tokens.ts'

const reserve = z.string().regex(/^\d+\.\d{6}$/)

/** A pool with its reserves. */
export const pool = z
  .object({
    address: addressOut.meta({ description: 'Address of the pool', example: localExamples.pool }),
    name: z.string().meta({ description: 'Symbols of the two tokens', example: 'tAUD/tUSD' }),
    chainId: chainIdOut,
    token0: tokenReference.meta({ description: 'First token of the pool', example: otherTokenExample }),
    token1: tokenReference.describe('Second token of the pool'),
    reserves: z
      .object({
        token0: reserve.meta({ description: 'Reserve of the first token', example: '1535626.535626' }),
        token1: reserve.meta({ description: 'Reserve of the second token', example: '1000000.000000' }),
      })
      .describe('Reserves of the pool, rounded down to 6 fractional digits'),
    totalSupply: z
      .string()
      .regex(/^\d+\.\d{18}$/)
      .meta({ description: 'LP tokens that the pool has issued', example: '2000000.000000000000000000' }),
    isFrozen: z.boolean().meta({ description: 'Whether its owner has stopped all conversions', example: false }),
  })
  .meta({ id: 'Pool', description: 'A pool of two tokens' })

/** Returns a pool with its reserves rounded down to 6 fractional digits, and its supply of LP tokens with 18 digits. */
export function toPool(
  { address, base, quote, totalSupply, frozen }: Pool.Pool,
  chainId: number,
): z.output<typeof pool> {
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
    isFrozen: frozen,
  }
}
