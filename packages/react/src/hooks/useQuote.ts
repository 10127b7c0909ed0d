import { AgioError, type AgioQuote, type QuoteRequest, type Wallet, type WatchOptions } from '@agio/sdk'
import { useMemo, useState } from 'react'
import { queries } from '../poll/queries.ts'
import { useAgio } from '../provider/AgioProvider.tsx'
import type { QuoteFailure, QuoteView } from '../quote/QuoteView.ts'
import { idleAfterMs, judgeValidity, validForSeconds } from '../quote/validity.ts'
import { useDebounced } from '../time/useDebounced.ts'
import { useIsActive } from '../time/useIsActive.ts'
import { useNow } from '../time/useNow.ts'
import { useAccepted } from './useAccepted.ts'
import { useLivePoll, type LiveOptions } from './useLivePoll.ts'
import { useWalletState } from './useWalletState.ts'

const debounceMs = 300

/**
 * Quotes what the user enters. It waits until the user stops typing, and renews the quote before it expires while the user is
 * active. With `isLive` a stream keeps it up to date instead. It never replaces an accepted price silently: a quote beyond the limit of the first one has the status `changed`, until
 * `accept` is called. Without tokens, or with an empty or zero amount, it is `idle` and requests nothing. A text that is
 * not an amount is `failed`, also without a request.
 *
 * @param input the request of `agio.quote`. Tokens may be undefined while they are loading
 *
 * @example
 * const quote = useQuote({ chainId: 84532, tokenIn, tokenOut, amountIn: text }, { wallet })
 * return <p>{quote.status === 'ready' ? `You receive ${quote.quote.amountOut}` : quote.status}</p>
 */
export function useQuote(input: useQuote.Input, options: useQuote.Options = {}): QuoteView {
  const { wallet, isPaused = false, isLive = false } = options
  const { reader, clock, polls } = useAgio()
  const { address = input.userAddress } = useWalletState(wallet)
  const refusal = findRefusal(input)
  const isAsked = isComplete(input) && !refusal
  // Another wallet does not change the price.
  const terms = isAsked ? JSON.stringify({ ...input, userAddress: undefined }) : undefined
  const key = isAsked ? JSON.stringify({ ...input, userAddress: address }) : undefined
  const settledKey = useDebounced(key, debounceMs)
  const isActive = useIsActive(idleAfterMs)
  const isRenewed = isActive && !isPaused
  const query = useMemo(() => {
    if (settledKey === undefined) return undefined
    const full = queries.quote(reader, JSON.parse(settledKey) as QuoteRequest)
    return isRenewed ? full : { ...full, refetchInterval: Infinity }
  }, [reader, settledKey, isRenewed])
  const watch = (streamOptions: WatchOptions) => {
    const quoted = query && polls.read(query).data
    return reader.watchQuote(quoted?.request ?? (JSON.parse(settledKey ?? '') as QuoteRequest), streamOptions)
  }
  const {
    data,
    error,
    requestedAt = 0,
    failedAt,
    refetch,
    ...polled
  } = useLivePoll(query, isLive && isRenewed && query ? watch : undefined)
  const isSettled = settledKey === key
  const quote = isSettled ? data : undefined
  const failure =
    isSettled && error !== undefined
      ? { error, at: failedAt ?? 0, isRepeated: isRenewed && !polled.isStreamed }
      : undefined
  const last = useLast({ quote, failure }, key && toPair(input))
  const { findChange, accept } = useAccepted(terms, failure ? undefined : quote)
  const change = quote && findChange(quote)
  const now = useNow(1000, clock.now)
  const validUntil = requestedAt + (input.validForSeconds ?? validForSeconds) * 1000
  const renew = async () => {
    const renewed = await refetch()
    // The request may have been cancelled.
    const hasFailed = renewed.error !== undefined || renewed.requestedAt === requestedAt
    return hasFailed || !renewed.data || findChange(renewed.data) ? undefined : renewed.data
  }
  const common = { accept, renew, isFetching: polled.isFetching }
  if (refusal) {
    return { ...common, status: 'failed', error: refusal, at: now, isRepeated: false, quote: undefined }
  }
  if (key === undefined) return { ...common, status: 'idle' }
  if (failure) return { ...common, status: 'failed', ...failure, quote }
  if (!quote) return { ...common, isFetching: true, status: 'loading', ...last }
  const validity = judgeValidity({ now, validUntil, isActive, isConverting: isPaused })
  if (validity === 'expired') return { ...common, status: 'expired', quote }
  const secondsLeft = Math.ceil((validUntil - now) / 1000)
  if (change) return { ...common, status: 'changed', quote, secondsLeft, change }
  return { ...common, status: 'ready', quote, secondsLeft }
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
  type Options = LiveOptions & {
    /** The wallet that will pay. The quote then lists what it lacks, in `issues`. */
    readonly wallet?: Wallet | undefined
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

/** Returns the last outcome of a pair: its quote, or why it has none. */
function useLast({ quote, failure }: Outcome, pair: string | undefined): Outcome {
  const [last, setLast] = useState<Outcome & { readonly pair?: string | undefined }>(none)
  const next = failure ? { pair, quote: undefined, failure } : { pair, quote, failure }
  if ((quote ?? failure) && (last.quote !== next.quote || last.failure?.at !== failure?.at)) setLast(next)
  return last.pair === pair ? { quote: last.quote, failure: last.failure } : none
}

const none: Outcome = { quote: undefined, failure: undefined }

type Outcome = { readonly quote: AgioQuote | undefined; readonly failure: QuoteFailure | undefined }
