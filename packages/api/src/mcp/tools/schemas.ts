import { Network, toSafeSymbol } from '@agio/core'
import { z } from 'zod'
import * as fields from '../../schema/fields.ts'

/** The network of a call. */
export const chainId = fields.chainIdOrDefault.meta({ description: `Default: ${Network.defaultChainId}` })

/** The address of a token of `list_networks`. */
export const token = fields.address

/** An amount of whole tokens. The server reads a short JSON number as its text; `readAmounts` says how. */
export const amount = fields.amount.meta({
  description: 'Whole tokens as text, such as "100.5"',
  override: { type: ['string', 'number'] },
})

/** A signed quote of `quote_conversion`. */
export const quote = z.string().meta({ description: 'The quote of quote_conversion' })

/** The symbol of a token: data of its contract, which decides nothing. */
export const symbol = z.string().overwrite(toSafeSymbol)

/** A token in a result. */
export const tokenReference = z.object({ address: z.string(), symbol, decimals: z.int() })

/** A token in a result, as the procedures return it. */
export type TokenReference = z.output<typeof tokenReference>

/** Formats an amount with the symbol of its token, which is quoted because it is data. */
export function formatAmount(value: unknown, { symbol: name }: Pick<TokenReference, 'symbol'>): string {
  return `${String(value)} ${JSON.stringify(toSafeSymbol(name))}`
}

/** A reason why a conversion would fail now. */
export const issue = z.object({ code: z.string(), message: z.string() })
