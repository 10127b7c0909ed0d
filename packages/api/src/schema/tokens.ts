import type { Token } from '@agio/core'
import { z } from 'zod'
import { addressOut } from './fields.ts'

/** A token as pools and previews name it. */
export const tokenReference = z
  .object({ address: addressOut, symbol: z.string(), decimals: z.int() })
  .meta({ id: 'TokenReference' })

/** Picks what a token reference shows. */
export function toTokenReference({ address, symbol, decimals }: Token): z.output<typeof tokenReference> {
  return { address, symbol, decimals }
}
