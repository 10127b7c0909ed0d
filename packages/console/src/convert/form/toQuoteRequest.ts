import type { Pair } from '@agio/react/internal'
import type { ChainId, ConversionMode, QuoteRequest } from '@agio/sdk'
import { defaultSettings, type Settings } from '../quote/useConvertSettings.ts'

/** Returns the quote request for the entered values. */
export function toQuoteRequest({
  mode,
  amount,
  settings: { slippageBps, validForSeconds, recipient },
  userAddress,
  ...tokens
}: toQuoteRequest.Entered): QuoteRequest {
  return {
    ...tokens,
    ...(mode === 'exact-in' ? { amountIn: amount } : { amountOut: amount }),
    // Routes without a swap for an exact output reject a tolerance, because it would have no effect.
    ...(slippageBps !== defaultSettings.slippageBps && { slippageBps }),
    ...(validForSeconds !== defaultSettings.validForSeconds && { validForSeconds }),
    ...(recipient && { recipient }),
    ...(userAddress && { userAddress }),
  }
}

export declare namespace toQuoteRequest {
  type Entered = Pair & {
    readonly chainId: ChainId
    readonly mode: ConversionMode
    /** The typed amount, in whole tokens of its side. */
    readonly amount: string
    readonly settings: Omit<Settings, 'approval'>
    readonly userAddress: `0x${string}` | undefined
  }
}
