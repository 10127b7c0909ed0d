import type { Token } from '@agio/core'
import { z } from 'zod'
import { addressOut, wholeNumber } from './fields.ts'
import { localExamples } from './localExamples.ts'

/** A token in a response. */
export const tokenReference = z
  .object({
    address: addressOut.meta({ description: 'Address of the token', example: localExamples.tUSD }),
    symbol: z.string().meta({ description: 'Symbol of the token', example: 'tUSD' }),
    decimals: wholeNumber.meta({ description: 'Fractional digits of amounts of the token', example: 6 }),
  })
  .meta({ id: 'TokenReference', description: 'A token' })

/** A token in a response, with its name. */
export const namedToken = tokenReference.extend({
  name: z.string().meta({ description: 'Name of the token', example: 'Test US Dollar' }),
})

/** The other token of the examples. */
export const otherTokenExample = { address: localExamples.tAUD, symbol: 'tAUD', decimals: 6 }

/** Returns the reference of a token. */
export function toTokenReference({ address, symbol, decimals }: Token): z.output<typeof tokenReference> {
  return { address, symbol, decimals }
}
