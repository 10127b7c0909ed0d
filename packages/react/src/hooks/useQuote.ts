import { AgioError, type AgioQuote, type QuoteRequest, type Wallet } from '@agio/sdk'
import { useCallback, useMemo, useState } from 'react'
import { queries } from '../poll/queries.ts'
import { useAgio } from '../provider/AgioProvider.tsx'
import type { QuoteView } from '../quote/QuoteView.ts'
import { idleAfterMs, judgeValidity, validForSeconds } from '../quote/validity.ts'
import { useDebounced } from '../time/useDebounced.ts'
import { useIsActive } from '../time/useIsActive.ts'
import { useNow } from '../time/useNow.ts'
import { useAccepted } from './useAccepted.ts'
import { usePoll } from './usePoll.ts'
import { useWalletState } from './useWalletState.ts'

const debounceMs = 300

/**
 * Quotes what the user enters. It waits until the user stops typing, and renews the quote before it expires while the user is
 * active. It never replaces an accepted price silently: a quote beyond the limit of the first one has the status `changed`, until
 * `accept` is called. Without tokens, or with an empty or zero amount, it is `idle` and requests nothing. A text that is
 * not an amount is `failed`, also without a request.
 *
 * @param input the request of `agio.quote`. Tokens may be undefined while they are loading
 *
 * @example
 * const quote = useQuote({ chainId: 84532, tokenIn, tokenOut, amountIn: text }, { wallet })
 * return <p>{quote.status === 'ready' ? `You receive ${quote.quote.amountOut}` : quote.status}</p>
 */
export function useQuote(input: useQuote.Input, { wallet, isPaused = false }: useQuote.Options = {}): QuoteView {
  const { agio, clock } = useAgio()
  const { address: userAddress } = useWalletState(wallet)
  const refusal = findRefusal(input)
  const terms = isComplete(input) && !refusal ? JSON.stringify(input) : undefined
  const key = terms && JSON.stringify({ ...input, userAddress: userAddress ?? input.userAddress })
  const settledKey = useDebounced(key, debounceMs)
  const isActive = useIsActive(idleAfterMs)
  const isRenewed = isActive && !isPaused
  const query = useMemo(() => {
    if (settledKey === undefined) return undefined
    const full = queries.quote(agio, JSON.parse(settledKey) as QuoteRequest)
    return isRenewed ? full : { ...full, refetchInterval: Infinity }
  }, [agio, settledKey, isRenewed])
  const { data, error, requestedAt, refetch } = usePoll(query)
  const quote = settledKey === key ? data : undefined
  const shown = useLast(quote, key && toPair(input))
  const { findChange, accept } = useAccepted(terms, quote)
  const change = quote && findChange(quote)
  const now = useNow(1000, clock.now)
  const validUntil = (requestedAt ?? 0) + (input.validForSeconds ?? validForSeconds) * 1000
  const renew = useCallback(async () => (await refetch()).data, [refetch])
  const actions = { accept, renew }
  if (refusal) return { ...actions, status: 'failed', error: refusal, quote: undefined }
  if (key === undefined) return { ...actions, status: 'idle' }
  if (settledKey === key && error !== undefined) return { ...actions, status: 'failed', error, quote: shown }
  if (!quote) return { ...actions, status: 'loading', quote: shown }
  const validity = judgeValidity({ now, validUntil, isActive, isConverting: isPaused })
  if (validity === 'expired') return { ...actions, status: 'expired', quote }
  const secondsLeft = Math.ceil((validUntil - now) / 1000)
  if (change) return { ...actions, status: 'changed', quote, secondsLeft, change }
  return { ...actions, status: 'ready', quote, secondsLeft }
}

export declare namespace useQuote {
  type Input = Omit<
    QuoteRequest,
    'tokenIn' | 'tokenOut' | 'amountIn' | 'amountOut' | 'minAmountOut' | 'maxAmountIn'
  > & {
    readonly tokenIn: `0x${string}` | undefined
    readonly tokenOut: `0x${string}` | undefined
    /** Amount to pay, in whole tokens, as the user typed it. */
    readonly amountIn?: string | undefined
    /** Amount to receive, instead of `amountIn`. */
    readonly amountOut?: string | undefined
  }
  type Options = {
    /** The wallet that will pay. The quote then lists what it lacks, in `issues`. */
    readonly wallet?: Wallet | undefined
    /** Whether quotes are not renewed now, for example during a conversion. */
    readonly isPaused?: boolean | undefined
  }
}

function isComplete({ tokenIn, tokenOut, amountIn, amountOut }: useQuote.Input): boolean {
  return tokenIn !== undefined && tokenOut !== undefined && !/^[\s0.]*$/.test(amountIn ?? amountOut ?? '')
}

/** Returns the error for a text that is not an amount, as the service would return it. Such a text is not requested. */
function findRefusal({ amountIn, amountOut }: Pick<useQuote.Input, 'amountIn' | 'amountOut'>): AgioError | undefined {
  const [field, value] = amountIn === undefined ? ['amountOut', amountOut] : ['amountIn', amountIn]
  if (value === undefined || /^\s*$|^\d+(?:\.\d+)?$/.test(value)) return undefined
  const message = `svc/invalid-request: Cannot read ${field} "${value}": it is not a plain decimal number`
  return new AgioError('svc/invalid-request', message, {
    details: { field, value },
    retryable: false,
    action: 'fix_input',
  })
}

function toPair({ chainId, tokenIn, tokenOut }: useQuote.Input): string {
  return `${chainId}:${tokenIn}:${tokenOut}`
}

/** Returns the last quote of a pair. */
function useLast(quote: AgioQuote | undefined, pair: string | undefined): AgioQuote | undefined {
  const [last, setLast] = useState<{ readonly pair: string; readonly quote: AgioQuote }>()
  if (quote && pair !== undefined && last?.quote !== quote) setLast({ pair, quote })
  return quote ?? (last?.pair === pair ? last?.quote : undefined)
}
