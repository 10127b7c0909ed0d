import type { AgioQuoteData, QuoteRequest } from '@agio/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { shown } from '../../service/agio.ts'
import { findAgioError } from '../../service/findAgioError.ts'
import { toRetryDelayMs } from '../../service/toRetryDelayMs.ts'
import { queryClient } from '../../service/trpc.ts'
import { useStream } from '../../service/useStream.ts'
import { useDebounced } from '../../time/useDebounced.ts'
import { useIsActive } from '../../time/useIsActive.ts'
import { useNow } from '../../time/useNow.ts'
import { findPriceChange, type PriceChange } from './findPriceChange.ts'
import { idleAfterMs, judgeValidity, validForSeconds } from './validity.ts'

const debounceMs = 300
// Each opens the stream anew, which is a call: not while an amount is typed.
const liveAfterMs = 4000

/**
 * Quotes a request as it is typed, one request at a time. The previous quote stays meanwhile. While the user is active, a quote
 * that stays is kept up to date by a stream, or renewed shortly before its end without one; a worse price then is a `change`, which the user accepts or not.
 *
 * @param request undefined without an amount
 */
export function useQuote(request: QuoteRequest | undefined, { isConverting }: useQuote.Options): QuoteView {
  const isActive = useIsActive(idleAfterMs)
  const key = request && JSON.stringify(request)
  const settledKey = useDebounced(key, debounceMs)
  const [pause, setPause] = useState<Failed>()
  const query = useQuery({
    queryKey: ['quote', settledKey],
    queryFn: async ({ signal }) => await requestQuote(settledKey ?? '', signal),
    enabled: settledKey !== undefined && !pause,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (isActive && !isConverting && toRetryDelayMs(state.error)) || false,
  })
  usePause(query, { pause, setPause, isActive })
  const failed = useFailed(query, key)
  const quoted =
    request && !(query.isPlaceholderData && failed) && isOfTokens(query.data, request) ? query.data : undefined
  const isCurrent = quoted !== undefined && quoted.key === key && !failed
  const { findChange, accept } = useAccepted(request, isCurrent ? quoted.quote : undefined)
  const now = useNow()
  const validUntil = quoted?.validUntil
  const validity = validUntil === undefined ? undefined : judgeValidity({ now, validUntil, isActive, isConverting })
  const { refetch, isFetching } = query
  const isLive = useLiveQuote(isCurrent && isActive && !isConverting ? quoted : undefined)
  useEffect(() => {
    if (isCurrent && validity === 'renew' && !isLive && !isFetching && !document.hidden) void refetch()
  }, [isCurrent, validity, isLive, isFetching, refetch])
  return {
    quote: quoted?.quote,
    isCurrent,
    isBusy: key !== undefined && !pause && (key !== settledKey || isFetching),
    validUntil,
    leftSeconds: validUntil === undefined ? undefined : Math.ceil((validUntil - now) / 1000),
    isExpired: isCurrent && validity === 'expired',
    failed,
    change: isCurrent ? findChange(quoted.quote) : undefined,
    accept,
    renew: async () => {
      const { data, error } = await refetch()
      return error || !data || data.key !== key || findChange(data.quote) ? undefined : data.quote
    },
  }
}

export declare namespace useQuote {
  type Options = {
    /** Whether a conversion runs: quotes are then left to expire. */
    readonly isConverting: boolean
  }
}

/** A quote as the page shows it. */
export type QuoteView = {
  /** The newest quote of the tokens; undefined without one. */
  readonly quote: AgioQuoteData | undefined
  /** Whether it is of the request, rather than of the previous one. It may have expired. */
  readonly isCurrent: boolean
  /** Whether a newer one is on its way. */
  readonly isBusy: boolean
  /** When it expires by the clock of the browser, in milliseconds. */
  readonly validUntil: number | undefined
  /** Seconds until then; none or less once it has expired. */
  readonly leftSeconds: number | undefined
  readonly isExpired: boolean
  /** Why there is no quote, or no newer one. */
  readonly failed: Failed | undefined
  /** A price that is worse than what the user has accepted. */
  readonly change: PriceChange | undefined
  /** Accepts the price of the quote. */
  readonly accept: () => void
  /** Quotes the request again. Returns the quote, unless its price has to be accepted first. */
  readonly renew: () => Promise<AgioQuoteData | undefined>
}

type Failed = {
  readonly error: unknown
  /** When it happened, in milliseconds. */
  readonly at: number
}

type Quoted = {
  /** The request as text. */
  readonly key: string
  readonly quote: AgioQuoteData
  readonly validUntil: number
}

async function requestQuote(key: string, signal: AbortSignal): Promise<Quoted> {
  const request = { ...(JSON.parse(key) as QuoteRequest), validForSeconds }
  // By the clock of the browser, whatever that of the service or the chain is.
  const validUntil = Date.now() + validForSeconds * 1000
  try {
    return { key, quote: await shown.quote(request, { signal }), validUntil }
  } catch (error) {
    if (!isOfSlippage(error)) throw error
    // The route has no swap for an exact output: its limit is the amount itself.
    return { key, quote: await shown.quote({ ...request, slippageBps: undefined }, { signal }), validUntil }
  }
}

/** Keeps a quote that the user looks at up to date: a stream brings a new one when its amounts change, and before it expires. */
function useLiveQuote(quoted: Quoted | undefined): boolean {
  const key = quoted?.key
  const settledKey = useDebounced(key, liveAfterMs)
  const { request } = quoted?.quote ?? {}
  return useStream(
    key !== undefined && key === settledKey ? key : undefined,
    (options) => shown.watchQuote(request as QuoteRequest, options),
    (quote) => {
      const validUntil = Date.now() + validForSeconds * 1000
      if (key !== undefined) queryClient.setQueryData<Quoted>(['quote', key], { key, quote, validUntil })
    },
  )
}

function isOfSlippage(error: unknown): boolean {
  const known = findAgioError(error)
  return known?.code === 'svc/invalid-request' && known.details.field === 'slippageBps'
}

function isOfTokens(quoted: Quoted | undefined, { chainId, tokenIn, tokenOut }: QuoteRequest): boolean {
  const of = quoted?.quote.request
  return of?.chainId === chainId && of.tokenIn === tokenIn && of.tokenOut === tokenOut
}

type Query = {
  readonly data: Quoted | undefined
  readonly error: unknown
  readonly errorUpdatedAt: number
  readonly isPending: boolean
  readonly isPlaceholderData: boolean
}

/** Sends nothing while the key has no calls left, whatever is typed. What has failed is repeated once the user is there, too. */
function usePause({ error, errorUpdatedAt: at }: Query, { pause, setPause, isActive }: PauseState): void {
  useEffect(() => {
    const code = findAgioError(error)?.code
    if (code === 'svc/rate-limited' || code === 'svc/quota-exceeded') setPause({ error, at })
  }, [error, at, setPause])
  useEffect(() => {
    if (!pause || !isActive) return undefined
    const { retryAfterSeconds = 0 } = findAgioError(pause.error) ?? {}
    const leftMs = pause.at + retryAfterSeconds * 1000 - Date.now()
    const timer = setTimeout(setPause, Math.min(Math.max(0, leftMs), longestDelayMs), undefined)
    return () => clearTimeout(timer)
  }, [pause, setPause, isActive])
}

// Timers take no longer delays.
const longestDelayMs = 2 ** 31 - 1

type PauseState = {
  readonly pause: Failed | undefined
  readonly setPause: (pause: Failed | undefined) => void
  readonly isActive: boolean
}

/** The error of the request, or of the previous one until its own outcome is known. */
function useFailed({ error, errorUpdatedAt: at, data, isPlaceholderData }: Query, key: string | undefined) {
  const [last, setLast] = useState<Failed>()
  const isDone = key === undefined || (data !== undefined && !isPlaceholderData && !error)
  if (error && last?.at !== at) setLast({ error, at })
  else if (last && isDone) setLast(undefined)
  return isDone ? undefined : last
}

/** Holds the quote whose limit the user has accepted: the first of its terms, or the one of the button. */
function useAccepted(request: QuoteRequest | undefined, quote: AgioQuoteData | undefined) {
  const [accepted, setAccepted] = useState<{ readonly terms: string; readonly quote: AgioQuoteData }>()
  // The same price for another wallet is no new one.
  const terms = request && JSON.stringify({ ...request, userAddress: undefined })
  if (terms === undefined && accepted) setAccepted(undefined)
  if (terms !== undefined && quote && accepted?.terms !== terms) setAccepted({ terms, quote })
  return {
    findChange: (renewed: AgioQuoteData) =>
      accepted && accepted.terms === terms ? findPriceChange(accepted.quote, renewed) : undefined,
    accept: () => {
      if (quote && terms !== undefined) setAccepted({ terms, quote })
    },
  }
}
