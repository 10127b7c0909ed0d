import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'

/** The input of a preview. */
export type Conversion = { readonly tokenIn: Address; readonly tokenOut: Address; readonly amountIn: string }

/** Lists conversions both ways through each pool and through both, so that every price and reserve matters. */
export function listConversions({ tokens: { tAUD, tEUR, tUSD } }: LocalChain): readonly Conversion[] {
  return [
    { tokenIn: tAUD, tokenOut: tUSD, amountIn: '1000' },
    { tokenIn: tUSD, tokenOut: tAUD, amountIn: '0.7' },
    { tokenIn: tEUR, tokenOut: tUSD, amountIn: '12345.678901' },
    { tokenIn: tUSD, tokenOut: tEUR, amountIn: '99.99' },
    { tokenIn: tAUD, tokenOut: tEUR, amountIn: '31415.926535' },
    { tokenIn: tEUR, tokenOut: tAUD, amountIn: '2.5' },
  ]
}
