import { Amount, OraclePrice, Timestamp } from '@agio/core'
import { z } from 'zod'
import { timestamp, wholeNumber } from '../schema/fields.ts'

/** A price in a response. */
export const priceResponse = z.object({
  usd: z
    .string()
    .regex(/^\d+\.\d+$/)
    .meta({ description: 'Price in US dollars', example: '0.65120000' }),
  lastUpdate: timestamp.meta({
    description: 'Time of the last update of the price',
    example: '2026-11-21T05:00:00.000Z',
  }),
  maxAgeSeconds: wholeNumber.meta({ example: 3600 }).nullable().meta({
    description: 'Maximum age of the price in seconds. Null for the reference dollar, whose price is fixed',
    example: 3600,
  }),
  heartbeatSeconds: wholeNumber.optional().meta({
    description: 'Longest time between two updates while the market is open, if the deployment declares it',
    example: 3600,
  }),
  stale: z.boolean().meta({ description: 'Whether the price is too old to convert at', example: false }),
})

/** Returns a price at a block time. The price of the reference dollar always has that update time. */
export function toPriceResponse(price: OraclePrice.OraclePrice, nowSeconds: bigint): z.output<typeof priceResponse> {
  return {
    usd: formatPrice(price),
    lastUpdate: Timestamp.fromSeconds(price.oracle === null ? nowSeconds : price.updatedAtSeconds),
    maxAgeSeconds: price.oracle === null ? null : Number(price.maxAgeSeconds),
    ...(price.heartbeatSeconds !== undefined && { heartbeatSeconds: price.heartbeatSeconds }),
    stale: !OraclePrice.isFresh(price, nowSeconds),
  }
}

// The price of the reference dollar, with 8 decimals.
const oneDollar = 100_000_000n

/** Formats a price in US dollars with eight fractional digits. The reference dollar, which has no oracle, is "1.00". */
function formatPrice({ oracle, answer }: OraclePrice.OraclePrice): string {
  if (oracle === null && answer === oneDollar) return '1.00'
  return Amount.format(answer > 0n ? answer : 0n, 8)
}
