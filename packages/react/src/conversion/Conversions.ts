import {
  isAgioError,
  isSettled,
  type Agio,
  type AgioQuoteData,
  type Conversion,
  type ConvertOptions,
  type ResumeOptions,
  type Step,
  type Wallet,
} from '@agio/sdk'
import { toInitial, toPageConversion, type ConversionsState, type PageConversion } from './PageConversion.ts'
import type { RunAlone } from '../tabs/runAlone.ts'
import { asksNext, hasEnded, hasSentNothing, isFollowed, isNeededForResume } from './stepRules.ts'
import { findStoredStep, listStoredSteps, parseStoredStep, writeStep, type StepStore } from './storedSteps.ts'

/**
 * The conversions of one provider. They belong to it and not to a component: a component that mounts twice or leaves the page
 * does not start, stop or block one. Each step is stored before the wallet is asked, so that a conversion can be resumed
 * after a reload. Without a click, a page only follows transactions that may have been sent, and never prompts the wallet.
 */
export class Conversions {
  readonly #agio: Pick<Agio, 'convert' | 'resume'>
  readonly #store: StepStore
  readonly #runAlone: RunAlone
  readonly #controllers = new Map<string, AbortController>()
  readonly #attended = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #state: ConversionsState | undefined
  #unsubscribe: (() => void) | undefined

  constructor({ agio, store, runAlone }: Conversions.Dependencies) {
    this.#agio = agio
    this.#store = store
    this.#runAlone = runAlone
  }

  /** Returns all conversions. The first call reads the store. */
  readonly getState = (): ConversionsState => (this.#state ??= toInitial(listStoredSteps(this.#store)))

  /** Calls back after each change, also of another tab. Returns a function that ends the subscription. */
  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange)
    if (this.#listeners.size === 1) this.#unsubscribe = this.#store.subscribe?.(this.#takeStored)
    return () => {
      this.#listeners.delete(onChange)
      if (this.#listeners.size === 0) this.#unsubscribe?.()
    }
  }

  /** Starts a conversion and returns its id. */
  readonly start = ({ quote, wallet, ...options }: Conversions.Start): string => {
    const run = (own: ResumeOptions) => this.#agio.convert({ ...options, ...own, quote })
    const { conversion, finish } = this.#begin({ wallet, mayAsk: true }, run)
    const { conversionId: id } = conversion
    this.#set(({ conversions }) => ({ conversions: [{ id, quote, steps: [], phase: 'running' }, ...conversions] }))
    // The lock shows other tabs that this tab runs the conversion.
    void this.#runAlone(toLockName(id), async (linger) => {
      linger()
      await finish()
    }).then(this.#forgetOldest)
    return id
  }

  /** Resumes a conversion that is not running. The wallet is asked for the next step. */
  readonly resume = (id: string, wallet: Wallet): void => void this.#attend(id, { wallet, mayAsk: true })

  /** Follows the conversions that may have sent a transaction with a wallet, without prompting it. */
  readonly follow = (wallet: Wallet | undefined): void => {
    for (const { id, steps, phase } of this.getState().conversions) {
      const step = steps.at(-1)
      if (phase === 'idle' && step && isFollowed(step)) void this.#attend(id, { wallet })
    }
  }

  /** Stops a conversion before the next request to the wallet. Transactions that were already sent cannot be stopped. */
  readonly stop = (id: string): void => this.#controllers.get(id)?.abort()

  /** Removes a conversion that is not running. */
  readonly dismiss = (id: string): void => {
    this.#store.remove(id)
    this.#remove(id)
  }

  /** Starts to run a conversion in this tab. `finish` resolves when it ends, also with an error. */
  #begin({ wallet, mayAsk }: Running, run: (options: ResumeOptions) => Conversion) {
    const controller = new AbortController()
    const conversion = run({
      wallet,
      signal: controller.signal,
      onStep: (step) => {
        this.#takeStep(step)
        if (!mayAsk && asksNext(step)) throw paused
      },
    })
    const { conversionId: id } = conversion
    this.#controllers.set(id, controller)
    const finish = async () => {
      await conversion.catch((error: unknown) => this.#endWith(id, error))
      this.#controllers.delete(id)
      this.#update(id, { phase: 'idle', hasRun: true })
      // It stays on this page, for another try, and a later visit does not show it.
      const step = this.#findNewest(id)
      if (step && hasSentNothing(step)) this.#store.remove(id)
    }
    return { conversion, finish }
  }

  #endWith(id: string, error: unknown): void {
    const isInStep = isAgioError(error) && this.#findNewest(id)?.status === 'failed'
    if (error !== paused && !isInStep) this.#update(id, { error })
  }

  /**
   * Waits until no other tab runs a conversion, and resumes it from the newest step. If the other tab made progress, the
   * wallet is not asked, because the user answered in that tab.
   */
  async #attend(id: string, { wallet, mayAsk = false }: Attending): Promise<void> {
    if (this.#attended.has(id)) return
    this.#attended.add(id)
    const before = this.#findNewest(id)
    const goOn = async (linger: () => void) => {
      this.#showNewer(findStoredStep(this.#store, id)?.step)
      const step = this.#findNewest(id)
      const isAsking = mayAsk && step === before
      if (!step || !wallet || (!isAsking && !(await canFollow(step, wallet))))
        return this.#update(id, { phase: 'idle' })
      linger()
      this.#update(id, { phase: isAsking ? 'running' : 'following', error: undefined })
      await this.#resume(step, { wallet, mayAsk: isAsking })
    }
    await this.#runAlone(toLockName(id), goOn, () => this.#update(id, { phase: 'elsewhere' }))
    this.#attended.delete(id)
    this.#forgetOldest()
  }

  async #resume(step: Step, running: Running): Promise<void> {
    const { conversionId: id } = step
    try {
      await this.#begin(running, (options) => this.#agio.resume(step, options)).finish()
    } catch (error) {
      this.#update(id, { phase: 'idle', error })
    }
  }

  /**
   * Stores a step and shows it.
   *
   * @throws `StorageError` if the step could not be stored and is needed to resume after a reload
   */
  #takeStep(step: Step): void {
    const { conversionId: id } = step
    try {
      writeStep(this.#store, step)
      this.#update(id, { isUnstored: false })
    } catch (error) {
      if (isNeededForResume(step)) throw error
      this.#update(id, { isUnstored: true })
    }
    this.#showStep(step)
  }

  /** Shows a step that another tab has stored, unless it is older. */
  #showNewer(step: Step | undefined): void {
    const newest = step && this.#findNewest(step.conversionId)
    if (!newest || newest.at > step.at || JSON.stringify(newest) === JSON.stringify(step)) return
    this.#showStep(step)
  }

  #showStep(step: Step): void {
    this.#update(step.conversionId, ({ steps }) => ({ quote: step.state.quote, steps: [...steps, step] }))
  }

  /** Shows what another tab has stored or removed. */
  readonly #takeStored = (id: string, text: string | null): void => {
    const shown = this.#find(id)
    if (text === null) {
      if (shown?.phase !== 'running') this.#remove(id)
      return
    }
    const { step } = parseStoredStep(id, text)
    if (!step) return
    if (shown) this.#showNewer(step)
    else this.#set(({ conversions }) => ({ conversions: [toPageConversion(step), ...conversions] }))
    if (this.#find(id)?.phase === 'idle' && !hasEnded(step)) void this.#attend(id, {})
  }

  #findNewest(id: string): Step | undefined {
    return this.#find(id)?.steps.at(-1)
  }

  #find(id: string): PageConversion | undefined {
    return this.getState().conversions.find((conversion) => conversion.id === id)
  }

  #update(id: string, change: Change | ((conversion: PageConversion) => Change)): void {
    this.#set(({ conversions }) => ({
      conversions: conversions.map((shown) =>
        shown.id === id ? { ...shown, ...(typeof change === 'function' ? change(shown) : change) } : shown,
      ),
    }))
  }

  #remove(id: string): void {
    this.#set(({ conversions, unreadable }) => ({
      conversions: conversions.filter((shown) => shown.id !== id),
      unreadable: unreadable.filter((stored) => stored.id !== id),
    }))
  }

  #set(change: (state: ConversionsState) => Partial<ConversionsState>): void {
    const state = this.getState()
    this.#state = { ...state, ...change(state) }
    for (const notify of this.#listeners) notify()
  }

  readonly #forgetOldest = (): void => {
    const ended = this.getState().conversions.filter(({ phase, steps }) => phase === 'idle' && steps.some(hasEnded))
    for (const { id } of ended.slice(maxEnded)) this.dismiss(id)
  }
}

export declare namespace Conversions {
  type Dependencies = {
    readonly agio: Pick<Agio, 'convert' | 'resume'>
    readonly store: StepStore
    readonly runAlone: RunAlone
  }
  type Start = Omit<ConvertOptions, 'wallet' | 'quote' | 'signal' | 'onStep'> & {
    readonly quote: AgioQuoteData
    readonly wallet: Wallet
  }
}

type Change = Partial<PageConversion>

type Running = { readonly wallet: Wallet; readonly mayAsk: boolean }

type Attending = { readonly wallet?: Wallet | undefined; readonly mayAsk?: boolean }

const maxEnded = 20

/** The abort reason for a followed conversion without a pending transaction, before it would prompt the wallet. */
const paused = new Error('The conversion is waiting for the user')

/**
 * Returns whether a conversion can be followed without a prompt: it may have sent a transaction, and the wallet has its
 * account.
 */
async function canFollow(step: Step, wallet: Wallet): Promise<boolean> {
  if (isSettled(step)) return false
  if ('account' in wallet && wallet.account) return isAccount(step, wallet.account.address)
  const accounts = await wallet.request({ method: 'eth_accounts' }).catch(() => [])
  return isAccount(step, (accounts as readonly string[])[0])
}

function isAccount({ state }: Step, account: string | undefined): boolean {
  return account?.toLowerCase() === state.account.toLowerCase()
}

function toLockName(id: string): string {
  return `agio.conversion.${id}`
}
