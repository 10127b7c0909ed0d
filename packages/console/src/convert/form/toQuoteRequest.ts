import type { Pair } from '@agio/react/internal'
import type { ChainId, ConversionMode, QuoteRequest } from '@agio/sdk'
import { defaultSlippageBps } from '../quote/slippage.ts'

/** Returns the quote request for the entered values. */
export function toQuoteRequest({
  mode,
  amount,
  slippageBps,
  userAddress,
  ...tokens
}: toQuoteRequest.Entered): QuoteRequest {
  return {
    ...tokens,
    ...(mode === 'exact-in' ? { amountIn: amount } : { amountOut: amount }),
    // Routes without a swap for an exact output reject a tolerance, because it would have no effect.
    ...(slippageBps !== defaultSlippageBps && { slippageBps }),
    ...(userAddress && { userAddress }),
  }
}

export declare namespace toQuoteRequest {
  type Entered = Pair & {
    readonly chainId: ChainId
    readonly mode: ConversionMode
    /** The typed amount, in whole tokens of its side. */
    readonly amount: string
    readonly slippageBps: number
    readonly userAddress: `0x${string}` | undefined
  }
}
