import { Amount, OraclePrice, Timestamp, priceRefusals, type PriceFault } from '@agio/core'
import { z } from 'zod'
import { timestamp, wholeNumber } from '../schema/fields.ts'

const meanings: Readonly<Record<PriceFault.Reason, string>> = {
  ...priceRefusals,
  depeg: 'The reference token is not worth a dollar',
}

const listed = Object.entries(meanings).map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)

const priceFault = z.enum(Object.keys(meanings) as PriceFault.Reason[]).meta({
  id: 'PriceFault',
  description: `Why pools refuse to convert at the price. Absent unless it is stale. ${listed.join('. ')}`,
  example: 'age',
})

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
  stale: z.boolean().meta({ description: 'Whether pools refuse to convert at the price', example: false }),
  reason: priceFault.optional(),
})

/** Returns a price at a block time. The price of the reference dollar always has that update time. */
export function toPriceResponse(price: OraclePrice.OraclePrice, nowSeconds: bigint): z.output<typeof priceResponse> {
  const fault = OraclePrice.findFault(price, nowSeconds)
  return {
    usd: formatPrice(price),
    lastUpdate: Timestamp.fromSeconds(price.oracle === null ? nowSeconds : price.updatedAtSeconds),
    maxAgeSeconds: price.oracle === null ? null : Number(price.maxAgeSeconds),
    ...(price.heartbeatSeconds !== undefined && { heartbeatSeconds: price.heartbeatSeconds }),
    stale: fault !== undefined,
    ...(fault && { reason: fault.reason }),
  }
}

// The price of the reference dollar, with 8 decimals.
const oneDollar = 100_000_000n

/** Formats a price in US dollars with eight fractional digits. The reference dollar, which has no oracle, is "1.00". */
function formatPrice({ oracle, answer }: OraclePrice.OraclePrice): string {
  if (oracle === null && answer === oneDollar) return '1.00'
  return Amount.format(answer > 0n ? answer : 0n, 8)
}
