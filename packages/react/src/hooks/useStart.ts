import type { ConvertOptions, Wallet } from '@agio/sdk'
import { useState } from 'react'
import { useAgio } from '../provider/AgioProvider.tsx'
import type { QuoteView } from '../quote/QuoteView.ts'
import { confirmMs } from '../quote/validity.ts'

/** Returns how to start a conversion at the quote of a form. */
export function useStart({ wallet, quote, ...options }: useStart.Input) {
  const { conversions } = useAgio()
  const [isStarting, setIsStarting] = useState(false)
  return {
    /** Whether the quote is renewed before the conversion starts. */
    isStarting,
    /**
     * Starts the conversion and returns its id. A quote that leaves too little time to confirm is renewed first. Returns
     * undefined if nothing was started, because that failed or the price is worse than the accepted one.
     */
    start: async (): Promise<string | undefined> => {
      if (!wallet || quote?.status !== 'ready' || isStarting) return undefined
      setIsStarting(true)
      const fresh = quote.secondsLeft * 1000 >= confirmMs ? quote.quote : await quote.renew()
      setIsStarting(false)
      return fresh && conversions.start({ ...options, quote: fresh, wallet })
    },
  }
}

export declare namespace useStart {
  type Input = Omit<ConvertOptions, 'wallet' | 'quote' | 'signal' | 'onStep'> & {
    /** The wallet that pays: a viem or wagmi client, or an EIP-1193 provider. Undefined while none is connected. */
    readonly wallet: Wallet | undefined
    /** What `useQuote` returns. */
    readonly quote: QuoteView | undefined
  }
}
