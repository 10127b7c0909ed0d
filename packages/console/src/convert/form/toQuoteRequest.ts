import type { ChainId, ConversionMode, QuoteRequest } from '@agio/sdk'
import { defaultSlippageBps } from '../quote/slippage.ts'
import type { Pair } from './pair.ts'

/** The request of what is entered. */
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
    // Routes that have no swap for an exact output refuse a tolerance, which would have no effect.
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
