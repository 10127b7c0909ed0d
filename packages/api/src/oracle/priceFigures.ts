import { isPriceFresh, toTimestamp, type OraclePrice } from '@agio/core'
import { z } from 'zod'
import { timestamp } from '../schema/fields.ts'
import { formatPrice } from './formatPrice.ts'

/** What is shown of a price, wherever one is shown. */
export const priceFigures = z.object({
  usd: z.string().regex(/^\d+\.\d+$/),
  lastUpdate: timestamp,
  stale: z.boolean().meta({ description: 'Whether the price is too old to convert at' }),
})

/** Writes a price as of a block; the reference dollar's is always of that block. */
export function toPriceFigures(price: OraclePrice, nowSeconds: bigint): z.output<typeof priceFigures> {
  return {
    usd: formatPrice(price),
    lastUpdate: toTimestamp(price.oracle === null ? nowSeconds : price.updatedAtSeconds),
    stale: !isPriceFresh(price, nowSeconds),
  }
}
