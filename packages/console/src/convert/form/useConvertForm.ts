import {
  type AmountText,
  choosePair,
  confirmMs,
  Decimal,
  type Pair,
  parseAmountText,
  useAgio,
} from '@agio/react/internal'
import type { AgioQuoteData, Chain, NamedToken } from '@agio/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { useConversions, useShownConversion } from '../conversions/conversions.ts'
import { trpc } from '../../service/trpc.ts'
import { useNetworkFault } from '../../service/useNetworkFault.ts'
import { useSession } from '../../session/session.ts'
import { listIssueWords } from '../issues/WalletIssues.tsx'
import { useQuote, type QuoteView } from '../quote/useQuote.ts'
import { useConvertSettings } from '../quote/useConvertSettings.ts'
import { findObstacle } from './findObstacle.ts'
import { toQuoteRequest } from './toQuoteRequest.ts'
import { refetchBalances, useBalances, type Balances } from './useBalances.ts'
import { useFollowedConversion } from './useFollowedConversion.ts'
import { useForm } from './useForm.ts'

/** Returns the state of the form: the entered values, their quote, and the obstacles to converting. */
export function useConvertForm(chain: Chain | undefined, wallet: ConnectedWallet | undefined): ConvertFormState {
  const { pairs, mode, text } = useForm()
  const [isStarting, setIsStarting] = useState(false)
  const settings = useConvertSettings()
  const { start } = useAgio().conversions
  const isConverting = useConversions(({ conversions }) => conversions.some(({ phase }) => phase === 'running'))
  const read = useBalances(wallet, chain ?? noChain)
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
          chainId: chain.chainId,
          mode,
          amount: amount.amount,
          settings,
          userAddress: wallet?.address,
        })
      : undefined
  const fault = useNetworkFault(chain?.chainId ?? noChain.chainId)
  const key = useKeyUse()
  const view = useQuote(request, { isConverting })
  useFollowedConversion()
  // The quote knows the balance that it found too small, also while the wallet cannot read it.
  const short = view.quote?.issues?.find(({ code }) => code === 'svc/insufficient-balance')
  const balances = short && tokenIn ? { [tokenIn.address]: Decimal.trim(short.current), ...read } : read
  const words = chain ? listIssueWords(view.quote, chain) : []
  const obstacle = findObstacle({
    hasTokens: pair !== undefined,
    hasFault: fault !== undefined,
    key,
    isConverting,
    followed: isFollowed ? tokenIn?.symbol : undefined,
    amount: amount.kind,
    hasFailed: view.failed !== undefined,
    isCurrent: view.isCurrent,
    isExpired: view.isExpired,
    issues: words.map((issue) => issue.obstacle),
  })
  return {
    chain,
    wallet,
    pair,
    tokenIn,
    tokenOut,
    amount,
    balances,
    view,
    isConverting,
    hasFault: fault !== undefined,
    obstacle,
    needsApproval: words.some(({ remedy }) => remedy === 'approve') && words.every((issue) => !issue.obstacle),
    isStarting,
    convert: async () => {
      if (obstacle !== undefined || view.change || isStarting || !wallet) return
      setIsStarting(true)
      const hasTime = (view.validUntil ?? 0) - Date.now() >= confirmMs
      const quote = hasTime ? view.quote : await view.renew()
      setIsStarting(false)
      if (!quote) return
      const id = start({ quote, wallet, approval: settings.approval })
      useForm.getState().setSent(id)
      useShownConversion.getState().show(id)
    },
    onMined: async () => {
      await Promise.all([refetchBalances(), view.quote && view.renew()])
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
  readonly view: QuoteView
  /** Whether a conversion runs in this tab. */
  readonly isConverting: boolean
  /** Whether the service or the network cannot be used now. */
  readonly hasFault: boolean
  /** The reason why the conversion cannot be started. */
  readonly obstacle: string | undefined
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

/** Whether a quote pays a token of a chain. */
function isSameToken(quote: AgioQuoteData, chain: Chain | undefined, token: NamedToken | undefined): boolean {
  return quote.chainId === chain?.chainId && quote.tokenIn.address === token?.address
}

const noChain = { chainId: 0, tokens: [] } as const
