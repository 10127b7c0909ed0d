import type { Step } from '@agio/sdk'
import type { PageConversion } from '../conversion/PageConversion.ts'
import { toOutlook } from '../conversion/toOutlook.ts'
import { explainError } from '../errors/explainError.ts'
import type { QuoteView } from '../quote/QuoteView.ts'
import type { ConvertAction, Texts } from '../texts/texts.ts'
import { isInChain, type Finality } from '../conversion/toFinality.ts'

/**
 * The states of a convert form. The first seven are before a conversion, the others of the conversion itself.
 *
 * | Status | Meaning |
 * |---|---|
 * | `no-wallet` | no wallet is connected |
 * | `no-quote` | there is no quote to convert at: the amount is empty, or the quote is loading, failed or expired |
 * | `ready` | the user can convert |
 * | `blocked` | the wallet lacks tokens or gas for the quote |
 * | `price-changed` | the user must accept a worse price first |
 * | `starting` | the quote is renewed before the wallet is asked |
 * | `preparing` | the conversion is checked, and the wallet is asked soon |
 * | `confirm-in-wallet` | the wallet prompts the user |
 * | `waiting-for-signers` | other signers of the account must confirm |
 * | `searching` | it is not known yet whether the wallet has sent the transaction |
 * | `confirming` | the transaction was sent |
 * | `other-tab` | another tab runs the conversion |
 * | `paused` | the conversion is unfinished, and the user can resume it |
 * | `unknown` | the conversion has failed and may have been sent: it must be resumed |
 * | `failed` | the conversion has ended without a conversion |
 * | `done` | the conversion has succeeded |
 * | `reorganised` | the conversion had succeeded, and the chain has removed its block |
 */
export type ConvertStatus =
  | 'no-wallet'
  | 'no-quote'
  | 'ready'
  | 'blocked'
  | 'price-changed'
  | 'starting'
  | 'preparing'
  | 'confirm-in-wallet'
  | 'waiting-for-signers'
  | 'searching'
  | 'confirming'
  | 'other-tab'
  | 'paused'
  | 'unknown'
  | 'failed'
  | 'done'
  | 'reorganised'

/** What a form shows: its state, the colour of a badge, a sentence, and the buttons. All follow from `status`. */
export type ConvertView = {
  readonly status: ConvertStatus
  readonly tone: 'neutral' | 'busy' | 'success' | 'warning' | 'danger'
  readonly text: string
  readonly actions: readonly ConvertAction[]
}

/** Returns the state of a convert form. */
export function toConvertView(input: toConvertView.Input): ConvertView {
  const { conversion, quote, texts, hasWallet } = input
  const before = toBefore(input)
  if (!conversion) return before
  const again = before.actions
  const outlook = toOutlook(conversion)
  const step = conversion.steps.at(-1)
  switch (outlook.kind) {
    case 'running':
    case 'following':
      return toRunning(step, texts)
    case 'elsewhere':
      return { status: 'other-tab', tone: 'busy', text: texts.otherTab, actions: [] }
    case 'paused':
      return outlook.isSettled && quote
        ? before
        : { status: 'paused', tone: 'warning', text: texts.paused, actions: hasWallet ? ['resume'] : [] }
    case 'done': {
      const { amountOut, tokenOut } = outlook.receipt
      const { finality } = input
      if (finality && !isInChain(finality)) {
        const text = `${texts.finality(finality)}. ${texts.reorganised}`
        return {
          status: 'reorganised',
          tone: 'warning',
          text,
          actions: finality.kind === 'reorganised' ? [] : [...again, 'dismiss'],
        }
      }
      return {
        status: 'done',
        tone: 'success',
        text: texts.received(amountOut, tokenOut),
        actions: [...again, 'dismiss'],
      }
    }
    default: {
      const { title, next, tone } = explainError(outlook.error, texts.errors)
      if (outlook.next === 'resume' && !outlook.isSettled) {
        const actions: readonly ConvertAction[] = hasWallet ? ['resume'] : []
        return { status: 'unknown', tone: 'warning', text: `${title}. ${texts.mayHaveBeenSent}.`, actions }
      }
      return { status: 'failed', tone, text: `${title}. ${next}`, actions: [...again, 'dismiss'] }
    }
  }
}

export declare namespace toConvertView {
  type Input = {
    readonly hasWallet: boolean
    /** Undefined for a page that only shows a conversion. */
    readonly quote: QuoteView | undefined
    readonly isStarting: boolean
    readonly conversion: PageConversion | undefined
    /** How final the receipt of the conversion is, if it has one. */
    readonly finality?: Finality | undefined
    readonly texts: Texts
  }
}

/** Returns the state without a conversion. */
function toBefore({ hasWallet, quote, isStarting, texts }: toConvertView.Input): ConvertView {
  if (isStarting) return { status: 'starting', tone: 'busy', text: texts.starting, actions: [] }
  if (quote?.status === 'failed') {
    const { title, next, tone } = explainError(quote.error, texts.errors)
    return { status: 'no-quote', tone, text: `${title}. ${next}`, actions: ['renew'] }
  }
  if (!hasWallet) return { status: 'no-wallet', tone: 'neutral', text: texts.connectWallet, actions: [] }
  switch (quote?.status) {
    case 'ready': {
      const issue = quote.quote.issues?.find(({ code }) => code !== 'svc/insufficient-allowance')
      if (issue) {
        const { title, next } = explainError({ ...issue, details: issue }, texts.errors)
        return { status: 'blocked', tone: 'warning', text: `${title}. ${next}`, actions: [] }
      }
      return { status: 'ready', tone: 'neutral', text: texts.ready, actions: ['convert'] }
    }
    case 'changed': {
      const { from, to, symbol } = quote.change
      const text = texts.priceChanged(from, to, symbol)
      return { status: 'price-changed', tone: 'warning', text, actions: ['accept'] }
    }
    case 'expired':
      return { status: 'no-quote', tone: 'neutral', text: texts.quoteExpired, actions: ['renew'] }
    case 'loading':
      return { status: 'no-quote', tone: 'busy', text: texts.gettingQuote, actions: [] }
    default:
      return { status: 'no-quote', tone: 'neutral', text: texts.enterAmount, actions: [] }
  }
}

/** Returns the state of a conversion that this tab runs or follows. */
function toRunning(step: Step | undefined, texts: Texts): ConvertView {
  const tone = 'busy'
  if (step?.status === 'waiting-for-wallet') {
    return {
      status: 'confirm-in-wallet',
      tone,
      text: `${texts.confirmInWallet}: ${texts.step(step)}`,
      actions: ['stop'],
    }
  }
  if (step?.status === 'waiting-for-signers') {
    return { status: 'waiting-for-signers', tone, text: texts.waitingForSigners, actions: ['stop'] }
  }
  if (step?.kind === 'confirm' || step?.status === 'sent') {
    return step.transactionHash === undefined
      ? { status: 'searching', tone, text: texts.searching, actions: ['stop'] }
      : { status: 'confirming', tone, text: texts.confirming, actions: [] }
  }
  return { status: 'preparing', tone, text: step ? texts.step(step) : texts.starting, actions: ['stop'] }
}
