import {
  findAgioError,
  idleAfterMs,
  judgeValidity,
  type PriceChange,
  toRetryDelayMs,
  useAccepted,
  useDebounced,
  useIsActive,
  useNow,
  validForSeconds as defaultValidForSeconds,
} from '@agio/react/internal'
import type { AgioQuoteData, QuoteRequest } from '@agio/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { unretriedAgio } from '../../service/agio.ts'
import { queryClient } from '../../service/trpc.ts'
import { useStream } from '../../service/useStream.ts'

const debounceMs = 300
// Each request reopens the stream, which counts as a call, so the page waits until the user stops typing.
const liveAfterMs = 4000

/**
 * Quotes the typed request, one request at a time. The previous quote is shown until the new quote arrives. While the
 * user is active, a stream keeps the quote up to date: it also sends that there is no quote any more, or a quote again.
 * Without a stream, the quote is renewed shortly before it expires. A worse price is a `change`, which the user must accept.
 *
 * @param request undefined without an amount
 */
export function useQuote(request: QuoteRequest | undefined, { isConverting }: useQuote.Options): QuoteView {
  const isActive = useIsActive(idleAfterMs)
  const key = request && JSON.stringify(request)
  const settledKey = useDebounced(key, debounceMs)
  const [pause, setPause] = useState<Failed>()
  const isRenewed = isActive && !isConverting
  const live = useLiveQuote(settledKey, isRenewed && !pause)
  // A later response of the service counts more than what the stream sent.
  const isRefused = ({ dataUpdatedAt, errorUpdatedAt }: Answered) =>
    live.refused !== undefined && live.refused.at > Math.max(dataUpdatedAt, errorUpdatedAt)
  const query = useQuery({
    queryKey: ['quote', settledKey],
    queryFn: async ({ signal }) => await requestQuote(settledKey ?? '', signal),
    enabled: settledKey !== undefined && !pause,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    refetchOnWindowFocus: false,
    // The stream sends a quote once there is one again.
    refetchInterval: ({ state }) => (isRenewed && !isRefused(state) && toRetryDelayMs(state.error)) || false,
  })
  usePause(query, { pause, setPause, isActive })
  const unanswered = useFailed(query, key)
  const failed = key === settledKey && isRefused(query) ? live.refused : unanswered
  const quoted =
    request && !(query.isPlaceholderData && failed) && isOfTokens(query.data, request) ? query.data : undefined
  const isCurrent = quoted !== undefined && quoted.key === key && !failed
  // Another wallet does not change the price.
  const terms = request && JSON.stringify({ ...request, userAddress: undefined })
  const { findChange, accept } = useAccepted(terms, isCurrent ? quoted.quote : undefined)
  const now = useNow()
  const validUntil = quoted?.validUntil
  const validity = validUntil === undefined ? undefined : judgeValidity({ now, validUntil, isActive, isConverting })
  const { refetch, isFetching } = query
  // A stream that has ended does not send that there is a quote again.
  const isUnwatched = failed !== undefined && failed === live.refused && !live.isRefusing && isRenewed && !pause
  const isDue = isUnwatched || (isCurrent && validity === 'renew' && !live.isLive)
  useEffect(() => {
    if (isDue && !isFetching && !document.hidden) void refetch()
  }, [isDue, isFetching, refetch])
  return {
    quote: quoted?.quote,
    isCurrent,
    isBusy: key !== undefined && !pause && (key !== settledKey || isFetching),
    isActive,
    validUntil,
    leftSeconds: validUntil === undefined ? undefined : Math.ceil((validUntil - now) / 1000),
    isExpired: isCurrent && validity === 'expired',
    failed: failed && { ...failed, isRepeated: failed === unanswered && isRenewed },
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
    /** Whether a conversion is running. Quotes are then not renewed. */
    readonly isConverting: boolean
  }
}

/** The state of the shown quote. */
export type QuoteView = {
  /** The newest quote of the tokens, if any. */
  readonly quote: AgioQuoteData | undefined
  /** Whether the quote matches the current request. It may have expired. */
  readonly isCurrent: boolean
  /** Whether the user was active in the last minutes. Then streams keep the page up to date. */
  readonly isActive: boolean
  /** Whether a newer quote is being requested. */
  readonly isBusy: boolean
  /** Expiry by the clock of the browser, in milliseconds. */
  readonly validUntil: number | undefined
  /** Seconds until the expiry. Zero or negative once the quote has expired. */
  readonly leftSeconds: number | undefined
  readonly isExpired: boolean
  /** The error of the last request, and whether the request is repeated. */
  readonly failed: (Failed & { readonly isRepeated: boolean }) | undefined
  /** A price that is worse than the accepted price. */
  readonly change: PriceChange | undefined
  /** Accepts the price of the quote. */
  readonly accept: () => void
  /** Requotes the request. Returns the quote, unless the user must accept its price first. */
  readonly renew: () => Promise<AgioQuoteData | undefined>
}

type Answered = Pick<Query, 'dataUpdatedAt' | 'errorUpdatedAt'>

type Failed = {
  readonly error: unknown
  /** Time of the error in milliseconds. */
  readonly at: number
}

type Quoted = {
  /** The request as text. */
  readonly key: string
  readonly quote: AgioQuoteData
  readonly validUntil: number
}

async function requestQuote(key: string, signal: AbortSignal): Promise<Quoted> {
  const request = toRequest(key)
  // Uses only the clock of the browser, because the clocks of the service and the chain may differ.
  const validUntil = toValidUntil(request)
  try {
    return { key, quote: await unretriedAgio.quote(request, { signal }), validUntil }
  } catch (error) {
    if (!isOfSlippage(error)) throw error
    // Without a swap for an exact output, the limit is the amount itself.
    return { key, quote: await unretriedAgio.quote({ ...request, slippageBps: undefined }, { signal }), validUntil }
  }
}

/**
 * Watches the quote of a request. A stream sends a new quote when the amounts change, and before the quote expires, or why
 * there is no quote now.
 */
function useLiveQuote(key: string | undefined, isWatched: boolean): LiveQuote {
  const watchedKey = isWatched ? key : undefined
  const settledKey = useDebounced(watchedKey, liveAfterMs)
  const [last, setLast] = useState<Failed & { readonly key: string | undefined }>()
  const { isLive, failed } = useStream(
    watchedKey === settledKey ? watchedKey : undefined,
    (options) => unretriedAgio.watchQuote(findQuoted(key)?.quote.request ?? toRequest(key ?? '{}'), options),
    (quote) => {
      const validUntil = toValidUntil(quote.request)
      if (key !== undefined) queryClient.setQueryData<Quoted>(['quote', key], { key, quote, validUntil })
    },
  )
  const isRefusing = failed !== undefined && isOfMarket(failed.error)
  if (isRefusing && last?.at !== failed.at) setLast({ ...failed, key })
  return { isLive, isRefusing, refused: last?.key === key ? last : undefined }
}

type LiveQuote = {
  /** Whether the stream sends quotes. */
  readonly isLive: boolean
  /** Whether the stream says that there is no quote now. */
  readonly isRefusing: boolean
  /** Why there was no quote when the stream last said so. */
  readonly refused: Failed | undefined
}

/** Whether an error says that there is no quote. Others only end the stream: the page then polls. */
function isOfMarket(error: unknown): boolean {
  const agioError = findAgioError(error)
  return agioError?.code.startsWith('svc/') === true && !ofStreams.has(agioError.code)
}

const ofStreams: ReadonlySet<string> = new Set([
  'svc/rate-limited',
  'svc/quota-exceeded',
  'svc/streams-full',
  'svc/storage-unavailable',
  'svc/internal',
  'svc/invalid-request',
])

function findQuoted(key: string | undefined): Quoted | undefined {
  return queryClient.getQueryData<Quoted>(['quote', key])
}

function toRequest(key: string): QuoteRequest {
  return { validForSeconds: defaultValidForSeconds, ...(JSON.parse(key) as QuoteRequest) }
}

/** Returns the expiry of a quote that is requested now. */
function toValidUntil({ validForSeconds = defaultValidForSeconds }: Pick<QuoteRequest, 'validForSeconds'>): number {
  return Date.now() + validForSeconds * 1000
}

function isOfSlippage(error: unknown): boolean {
  const agioError = findAgioError(error)
  return agioError?.code === 'svc/invalid-request' && agioError.details.field === 'slippageBps'
}

function isOfTokens(quoted: Quoted | undefined, { chainId, tokenIn, tokenOut }: QuoteRequest): boolean {
  const of = quoted?.quote.request
  return of?.chainId === chainId && of.tokenIn === tokenIn && of.tokenOut === tokenOut
}

type Query = {
  readonly data: Quoted | undefined
  readonly error: unknown
  readonly dataUpdatedAt: number
  readonly errorUpdatedAt: number
  readonly isPending: boolean
  readonly isPlaceholderData: boolean
}

/** Pauses all requests while the key has no calls left. Failed requests are repeated when the user is active. */
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

// The longest delay of a timer.
const longestDelayMs = 2 ** 31 - 1

type PauseState = {
  readonly pause: Failed | undefined
  readonly setPause: (pause: Failed | undefined) => void
  readonly isActive: boolean
}

/** Returns the error of the request, or of the previous request until the outcome is known. */
function useFailed({ error, errorUpdatedAt: at, data, isPlaceholderData }: Query, key: string | undefined) {
  const [last, setLast] = useState<Failed>()
  const isDone = key === undefined || (data !== undefined && !isPlaceholderData && !error)
  if (error && last?.at !== at) setLast({ error, at })
  else if (last && isDone) setLast(undefined)
  return isDone ? undefined : last
}
