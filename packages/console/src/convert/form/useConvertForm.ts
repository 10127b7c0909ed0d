import {
  type AmountText,
  type Balances,
  choosePair,
  Decimal,
  idleAfterMs,
  type Pair,
  parseAmountText,
  type QuoteFailure,
  type QuoteView,
  useAgio,
  useBalances,
  useChain,
  useIsActive,
  usePrices,
  useQuote,
  useStart,
} from '@agio/react/internal'
import type { AgioQuoteData, Chain, NamedToken, OraclePrices } from '@agio/sdk'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { type PageConversion, useConversions, useShownConversion } from '../conversions/conversions.ts'
import { trpc } from '../../service/trpc.ts'
import { useNetworkFault } from '../../service/useNetworkFault.ts'
import { useNetwork } from '../../settings/network.ts'
import { useSession } from '../../session/session.ts'
import type { IssueWords } from '../issues/explainIssue.ts'
import { listIssueWords } from '../issues/WalletIssues.tsx'
import { useConvertSettings } from '../quote/useConvertSettings.ts'
import { findObstacle, type Obstacle } from './findObstacle.ts'
import { toQuoteRequest } from './toQuoteRequest.ts'
import { useForm } from './useForm.ts'
import { planKey } from '../issues/ApprovalLine.tsx'
import { useConsole } from '../../settings/console.ts'

/** Returns the state of the form: the entered values, their quote, and the obstacles to converting. */
export function useConvertForm(wallet: ConnectedWallet | undefined): ConvertFormState {
  const { chainId } = useNetwork(({ network }) => network)
  const { data: chain, error, failedAt: at } = useChain({ chainId })
  const console = useConsole()
  const { pairs, mode, text } = useForm()
  const settings = useConvertSettings()
  const isConverting = useConversions(({ conversions }) => conversions.some(({ phase }) => phase === 'running'))
  const balance = useBalances({ chainId, tokens: chain?.tokens ?? [], wallet })
  const prices = usePrices({ chainId }, { isLive: true, isPaused: !useIsActive(idleAfterMs) })
  const pair = chain && choosePair(pairs[chain.chainId], chain)
  const find = (address: string | undefined) => chain?.tokens.find((token) => token.address === address)
  const [tokenIn, tokenOut] = [find(pair?.tokenIn), find(pair?.tokenOut)]
  const isFollowed = useConversions(({ conversions }) =>
    conversions.some(({ phase, quote }) => phase === 'following' && isSameToken(quote, chain, tokenIn)),
  )
  const fixed = mode === 'exact-in' ? tokenIn : tokenOut
  const amount: AmountText = fixed ? parseAmountText(text, fixed) : { kind: 'empty' }
  const request =
    chain && pair && amount.kind === 'amount'
      ? toQuoteRequest({
          ...pair,
          chainId,
          mode,
          amount: amount.amount,
          settings,
          userAddress: wallet?.address,
        })
      : { chainId, tokenIn: undefined, tokenOut: undefined }
  const fault = useNetworkFault(chainId)
  const key = useKeyUse()
  const view = useQuote(request, { isPaused: isConverting, isLive: true })
  const { isStarting, start } = useStart({ wallet, quote: view, approval: settings.approval })
  const isCurrent = view.status === 'ready' || view.status === 'changed' || view.status === 'expired'
  useFollowedConversion()
  const balances = { ...findShortBalance(view.quote), ...balance.data }
  const words = chain ? listIssueWords(view.quote, chain) : []
  const obstacle = findObstacle({
    hasTokens: pair !== undefined,
    hasFault: fault !== undefined,
    key,
    isConverting,
    followed: isFollowed ? tokenIn?.symbol : undefined,
    emptyToken: tokenIn && balances[tokenIn.address] === '0' ? tokenIn.symbol : undefined,
    amount: amount.kind,
    hasFailed: findFailure(view) !== undefined,
    isCurrent,
    isExpired: view.status === 'expired',
    issues: words,
  })
  return {
    chain,
    wallet,
    pair,
    tokenIn,
    tokenOut,
    amount,
    balances,
    prices: prices.data,
    failed: error === undefined ? undefined : { error, at, isRepeated: true },
    view,
    isCurrent,
    isConverting,
    hasFault: fault !== undefined,
    obstacle,
    issues: words,
    needsApproval: words.some(({ remedy }) => remedy === 'approve') && words.every((issue) => !issue.obstacle),
    isStarting,
    convert: async () => {
      const id = obstacle === undefined ? await start() : undefined
      if (id === undefined) return
      useForm.of(console).getState().setSent(id)
      useShownConversion.of(console).getState().show(id)
    },
    onMined: async () => {
      await Promise.all([balance.refetch(), view.quote && view.renew()])
    },
  }
}

/** The state of the form: entered values, their quote, and the actions. */
export type ConvertFormState = {
  /** Undefined while the tokens are loading. */
  readonly chain: Chain | undefined
  readonly wallet: ConnectedWallet | undefined
  readonly pair: Pair | undefined
  readonly tokenIn: NamedToken | undefined
  readonly tokenOut: NamedToken | undefined
  readonly amount: AmountText
  readonly balances: Balances
  /** The oracle prices of the network. */
  readonly prices: OraclePrices | undefined
  /** Why the tokens could not be loaded. */
  readonly failed: Pick<ErrorNotice.Props, 'error' | 'at' | 'isRepeated'> | undefined
  readonly view: QuoteView
  /** Whether the quote matches the entered values. It may have expired. */
  readonly isCurrent: boolean
  /** Whether a conversion runs in this tab. */
  readonly isConverting: boolean
  /** Whether the service or the network cannot be used now. */
  readonly hasFault: boolean
  /** The reason why the conversion cannot be started. */
  readonly obstacle: Obstacle | undefined
  /** The issues of the newest quote. */
  readonly issues: readonly IssueWords[]
  /** Whether a missing approval is the wallet's only issue. */
  readonly needsApproval: boolean
  /** Whether the quote is renewed before the conversion starts. */
  readonly isStarting: boolean
  /** Starts the conversion, unless there is an obstacle. */
  readonly convert: () => Promise<void>
  /** Refreshes the data that a transaction has changed. */
  readonly onMined: () => Promise<void>
}

/** Returns whether the API key of the page may convert. */
function useKeyUse(): findObstacle.Form['key'] {
  const apiKey = useSession((session) => session.apiKey)
  const { data } = useQuery(
    trpc.keys.self.queryOptions(apiKey === '' ? skipToken : undefined, {
      staleTime: Infinity,
      refetchOnWindowFocus: false,
    }),
  )
  if (apiKey === '') return 'missing'
  return data?.scopes.includes('build') === false ? 'read-only' : 'usable'
}

/** Returns the balance that a quote has found too small, which is known also while the wallet cannot read it. */
function findShortBalance(quote: AgioQuoteData | undefined): Balances {
  const short = quote?.issues?.find(({ code }) => code === 'svc/insufficient-balance')
  return quote && short ? { [quote.tokenIn.address]: Decimal.trim(short.current) } : {}
}

/** Whether a quote pays a token of a chain. */
function isSameToken(quote: AgioQuoteData, chain: Chain | undefined, token: NamedToken | undefined): boolean {
  return quote.chainId === chain?.chainId && quote.tokenIn.address === token?.address
}

/** Returns why there is no quote, also while the next one is requested. */
export function findFailure(view: QuoteView): QuoteFailure | undefined {
  return view.status === 'failed' ? view : view.status === 'loading' ? view.failure : undefined
}

/** Clears the form once its conversion has succeeded. Reads the approval plans again after each conversion. */
function useFollowedConversion(): void {
  const { getState, subscribe } = useAgio().conversions
  const queryClient = useQueryClient()
  const console = useConsole()
  useEffect(() => {
    const form = useForm.of(console)
    let before = getState().conversions
    settleForm(form, before)
    return subscribe(() => {
      const { conversions } = getState()
      const hasEnded = countRunning(conversions) < countRunning(before)
      before = conversions
      if (!hasEnded) return
      settleForm(form, conversions)
      void queryClient.invalidateQueries({ queryKey: planKey })
    })
  }, [getState, subscribe, queryClient, console])
}

function settleForm(form: ReturnType<typeof useForm.of>, conversions: readonly PageConversion[]): void {
  const { sentId, mode, setText, setSent } = form.getState()
  if (sentId === undefined) return
  const sent = conversions.find(({ id }) => id === sentId)
  if (sent && sent.phase !== 'idle') return
  const last = sent?.steps.at(-1)
  if (last?.kind === 'confirm' && last.status === 'done') setText(mode, '')
  else setSent(undefined)
}

function countRunning(conversions: readonly PageConversion[]): number {
  return conversions.filter(({ phase }) => phase !== 'idle').length
}
