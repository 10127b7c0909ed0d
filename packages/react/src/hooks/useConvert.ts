import { isSettled, type Step, type SuccessfulReceipt } from '@agio/sdk'
import { useEffect, useRef, useState } from 'react'
import type { PageConversion } from '../conversion/PageConversion.ts'
import { toOutlook } from '../conversion/toOutlook.ts'
import { useAgio } from '../provider/AgioProvider.tsx'
import type { QuoteView } from '../quote/QuoteView.ts'
import type { ConvertAction } from '../texts/texts.ts'
import { toConvertView, type ConvertView } from '../view/toConvertView.ts'
import { isInChain, type Finality } from '../conversion/toFinality.ts'
import { useTransaction } from './serviceData.ts'
import { useConversions } from './useConversions.ts'
import { useStart } from './useStart.ts'

/**
 * Converts at the quote of a form. Its `status` names the state, and `text`, `tone` and `buttons` follow from it, so a form shows
 * them without a decision of its own. After a reload it shows the conversion that is unfinished, follows it if it may have been
 * sent, and offers to resume it. The conversion belongs to the provider: leaving the page or mounting twice does not stop or
 * start one, and only `stop` ends it.
 *
 * @example
 * const quote = useQuote({ chainId: 84532, tokenIn, tokenOut, amountIn }, { wallet })
 * const { text, buttons } = useConvert({ wallet, quote })
 * return (
 *   <>
 *     <output>{text}</output>
 *     {buttons.map(({ action, label, onClick }) => (
 *       <button key={action} onClick={onClick}>
 *         {label}
 *       </button>
 *     ))}
 *   </>
 * )
 */
export function useConvert({ wallet, quote, ...options }: useConvert.Input): ConvertState {
  const { conversions, texts } = useAgio()
  const [id, setId] = useState<string>()
  const all = useConversions()
  const conversion = all.find((each) => each.id === id) ?? all.find(isUnfinished)
  // It stays after it has ended.
  if (conversion && conversion.id !== id) setId(conversion.id)
  useEffect(() => {
    // A conversion that is attended without a wallet would not be followed with it.
    if (wallet) conversions.follow(wallet)
  }, [conversions, wallet])
  const { onSent, onReceipt, onError, ...convertOptions } = options
  useEvents(conversion, { onSent, onReceipt, onError })
  const { isStarting, start } = useStart({ ...convertOptions, wallet, quote })
  const receipt = findReceipt(conversion)
  const { finality } = useTransaction(receipt && conversion && toTransaction(conversion, receipt))
  const view = toConvertView({ hasWallet: wallet !== undefined, quote, isStarting, conversion, finality, texts })

  const act: Readonly<Record<ConvertAction, () => Promise<void> | void>> = {
    async convert() {
      const startedId = await start()
      if (startedId === undefined) return
      if (conversion && hasFailed(conversion)) conversions.dismiss(conversion.id)
      setId(startedId)
    },
    accept: () => quote?.accept(),
    async renew() {
      await quote?.renew()
    },
    resume() {
      if (!wallet || !conversion) return
      setId(conversion.id)
      conversions.resume(conversion.id, wallet)
    },
    stop: () => conversion && conversions.stop(conversion.id),
    dismiss: () => conversion && conversions.dismiss(conversion.id),
  }
  return {
    ...view,
    conversion,
    buttons: view.actions.map((action) => ({
      action,
      label: texts.actions[action],
      onClick: () => void act[action](),
    })),
    isBusy: view.tone === 'busy' && view.status !== 'no-quote',
    receipt: isInChain(finality) ? receipt : undefined,
    finality,
  }
}

export declare namespace useConvert {
  type Events = {
    /** Called once the transaction of the conversion was sent. */
    readonly onSent?: ((transactionHash: `0x${string}`) => void) | undefined
    readonly onReceipt?: ((receipt: SuccessfulReceipt) => void) | undefined
    /** Called with the error of a conversion that has failed. `explainError` explains it. */
    readonly onError?: ((error: unknown) => void) | undefined
  }
  type Input = Events &
    Omit<useStart.Input, 'quote'> & {
      /** What `useQuote` returns. Absent for a page that only shows conversions. */
      readonly quote?: QuoteView | undefined
    }
}

/** The state of a convert form, and its buttons. */
export type ConvertState = ConvertView & {
  readonly buttons: readonly {
    readonly action: ConvertAction
    readonly label: string
    readonly onClick: () => void
  }[]
  /** Whether the form should not be changed now. */
  readonly isBusy: boolean
  /** The conversion that is shown, with its steps. */
  readonly conversion: PageConversion | undefined
  /** The receipt of a conversion that has succeeded. Undefined once the chain has removed it. */
  readonly receipt: SuccessfulReceipt | undefined
  /** How final the receipt is. `texts.finality` names it. */
  readonly finality: Finality | undefined
}

/** Whether a conversion runs, or may have sent a transaction. */
function isUnfinished({ phase, steps }: PageConversion): boolean {
  const step = steps.at(-1)
  return phase !== 'idle' || (step !== undefined && !isSettled(step))
}

function hasFailed(conversion: PageConversion): boolean {
  const outlook = toOutlook(conversion)
  return outlook.kind === 'failed' && outlook.isSettled
}

function findReceipt(conversion: PageConversion | undefined): SuccessfulReceipt | undefined {
  const step = conversion?.steps.at(-1)
  return step?.kind === 'confirm' && step.status === 'done' ? step.receipt : undefined
}

function toTransaction({ quote: { chainId } }: PageConversion, { transactionHash }: SuccessfulReceipt) {
  return { chainId, transactionHash }
}

/** Calls the events of a conversion, each once. */
function useEvents(conversion: PageConversion | undefined, events: useConvert.Events): void {
  const newest = useRef(events)
  const called = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    newest.current = events
  })
  useEffect(() => {
    if (!conversion?.hasRun && conversion?.phase !== 'running') return
    const call = (name: string, run: () => void) => {
      const key = `${conversion.id} ${name}`
      if (called.current.has(key)) return
      called.current = new Set([...called.current, key])
      run()
    }
    const step = conversion.steps.at(-1)
    const hash = findSent(step)
    const receipt = findReceipt(conversion)
    const { onSent, onReceipt, onError } = newest.current
    if (hash) call('sent', () => onSent?.(hash))
    if (receipt) call('receipt', () => onReceipt?.(receipt))
    if (conversion.error !== undefined) call('error', () => onError?.(conversion.error))
    else if (step?.status === 'failed') call(`error ${step.at}`, () => onError?.(step.error))
  }, [conversion])
}

function findSent(step: Step | undefined): `0x${string}` | undefined {
  const { kind, transactionHash } = step?.state.pending ?? {}
  return kind === 'convert' || kind === 'batch' ? transactionHash : undefined
}
