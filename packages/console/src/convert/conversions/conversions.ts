import { isAgioError, isSettled, type AgioQuoteData, type Conversion, type ResumeOptions, type Step } from '@agio/sdk'
import { create } from 'zustand'
import { agio } from '../../service/agio.ts'
import { runAlone } from '../../tabs/runAlone.ts'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { asksNext, hasEnded, isFollowed, isNeededForResume } from './stepRules.ts'
import {
  findStoredStep,
  listStoredSteps,
  parseStoredName,
  parseStoredStep,
  removeStep,
  writeStep,
  type StoredStep,
} from './storedSteps.ts'

/**
 * The store of this browser's conversions. Each step is stored before the wallet is asked, so that a conversion can be
 * resumed after a reload. Without a click, the page only follows transactions that may have been sent, and never
 * prompts the wallet.
 */
export const useConversions = create<Conversions>((set, get) => ({
  ...toInitial(listStoredSteps()),

  start({ quote, wallet }) {
    const { conversion, finish } = begin({ wallet, mayAsk: true }, (options) => agio.convert({ quote, ...options }))
    const { conversionId: id } = conversion
    set(({ conversions }) => ({ conversions: [{ id, quote, steps: [], phase: 'running' }, ...conversions] }))
    // The lock shows other tabs that this tab runs the conversion.
    void runAlone(toLockName(id), async (linger) => {
      linger()
      await finish()
    }).then(forgetOldest)
    return id
  },

  resume: (id, wallet) => void attend(id, { wallet, mayAsk: true }),

  followStored(wallet) {
    if (hasFollowed) return
    hasFollowed = true
    for (const { id, steps, phase } of get().conversions) {
      const step = steps.at(-1)
      if (phase === 'idle' && step && isFollowed(step)) void attend(id, { wallet })
    }
  },

  stop: (id) => controllers.get(id)?.abort(),

  dismiss(id) {
    removeStep(id)
    remove(id)
  },
}))

type Conversions = {
  /** All conversions, newest first. */
  readonly conversions: readonly PageConversion[]
  /** Stored conversions that cannot be read. */
  readonly unreadable: readonly UnreadableConversion[]
  /** Starts a conversion and returns its id. */
  start(conversion: { readonly quote: AgioQuoteData; readonly wallet: AskedWallet }): string
  /** Resumes a conversion that is not running. The wallet is asked for the next step. */
  resume(id: string, wallet: AskedWallet): void
  /**
   * Follows the stored conversions that may have sent a transaction, without prompting the wallet. Called once, when
   * the page is loaded and its wallet, if any, is connected again. Selecting another account later starts nothing.
   */
  followStored(wallet: AskedWallet | undefined): void
  /**
   * Stops a conversion before the next request to the wallet. Transactions that were already sent cannot be stopped.
   */
  stop(id: string): void
  /** Removes a conversion that is not running. */
  dismiss(id: string): void
}

/** The wallet of a conversion. */
type AskedWallet = Pick<ConnectedWallet, 'getProvider'>

/** A conversion with the state that the page shows. */
export type PageConversion = {
  readonly id: string
  /** The quote of the conversion, or its replacement. */
  readonly quote: AgioQuoteData
  /** The steps since the page was loaded, oldest first. After a reload it starts with the last stored step. */
  readonly steps: readonly Step[]
  readonly phase: Phase
  /** The error of this tab, if the last step does not contain it. */
  readonly error?: unknown
  /** Whether the browser could not store the last step. The conversion continues anyway. */
  readonly isUnstored?: boolean
  /** Whether this tab has run the conversion. */
  readonly hasRun?: boolean
}

type UnreadableConversion = { readonly id: string; readonly error: unknown }

/**
 * Which tab runs a conversion: this tab with prompts (`running`), this tab without prompts (`following`), another tab
 * (`elsewhere`), or no tab (`idle`).
 */
type Phase = 'running' | 'following' | 'elsewhere' | 'idle'

const maxEnded = 20
const controllers = new Map<string, AbortController>()
const attended = new Set<string>()
let hasFollowed = false

type Running = { readonly wallet: AskedWallet; readonly mayAsk: boolean }

type Attending = { readonly wallet?: AskedWallet | undefined; readonly mayAsk?: boolean }

/** The abort reason for a followed conversion without a pending transaction, before it would prompt the wallet. */
const paused = new Error('The conversion is waiting for the user')

/** Starts to run a conversion in this tab. `finish` resolves when it ends, also with an error. */
function begin({ wallet, mayAsk }: Running, run: (options: ResumeOptions) => Conversion) {
  const controller = new AbortController()
  const conversion = run({
    wallet: { request: async (args) => await (await wallet.getProvider()).request(args) },
    signal: controller.signal,
    onStep(step) {
      takeStep(step)
      if (!mayAsk && asksNext(step)) throw paused
    },
  })
  const { conversionId: id } = conversion
  controllers.set(id, controller)
  const finish = async () => {
    await conversion.catch((error: unknown) => endWith(id, error))
    controllers.delete(id)
    update(id, { phase: 'idle', hasRun: true })
  }
  return { conversion, finish }
}

function endWith(id: string, error: unknown): void {
  const isInStep = isAgioError(error) && findNewest(id)?.status === 'failed'
  if (error !== paused && !isInStep) update(id, { error })
}

/**
 * Waits until no other tab runs a conversion, and resumes it from the newest step. If the other tab made progress, the
 * wallet is not asked, because the user answered in that tab.
 */
async function attend(id: string, { wallet, mayAsk = false }: Attending): Promise<void> {
  if (attended.has(id)) return
  attended.add(id)
  const before = findNewest(id)
  const goOn = async (linger: () => void) => {
    showNewer(findStoredStep(id)?.step)
    const step = findNewest(id)
    const isAsking = mayAsk && step === before
    if (!step || !wallet || (!isAsking && !(await canFollow(step, wallet)))) return update(id, { phase: 'idle' })
    linger()
    update(id, { phase: isAsking ? 'running' : 'following', error: undefined })
    await resume(step, { wallet, mayAsk: isAsking })
  }
  await runAlone(toLockName(id), goOn, () => update(id, { phase: 'elsewhere' }))
  attended.delete(id)
  forgetOldest()
}

async function resume(step: Step, running: Running): Promise<void> {
  const { conversionId: id } = step
  try {
    await begin(running, (options) => agio.resume(step, options)).finish()
  } catch (error) {
    update(id, { phase: 'idle', error })
  }
}

/**
 * Returns whether a conversion can be followed without a prompt: it may have sent a transaction, and the wallet has its
 * account.
 */
async function canFollow(step: Step, wallet: AskedWallet): Promise<boolean> {
  if (isSettled(step)) return false
  const accounts = await wallet
    .getProvider()
    .then((provider) => provider.request({ method: 'eth_accounts' }))
    .catch(() => [])
  const [account] = accounts as readonly string[]
  return account?.toLowerCase() === step.state.account.toLowerCase()
}

/**
 * Stores a step and shows it.
 *
 * @throws `StorageError` if the step could not be stored and is needed to resume after a reload
 */
function takeStep(step: Step): void {
  const { conversionId: id } = step
  try {
    writeStep(step)
    update(id, { isUnstored: false })
  } catch (error) {
    if (isNeededForResume(step)) throw error
    update(id, { isUnstored: true })
  }
  showStep(step)
}

/** Shows a step that another tab has stored, unless it is older. */
function showNewer(step: Step | undefined): void {
  const newest = step && findNewest(step.conversionId)
  if (!newest || newest.at > step.at || JSON.stringify(newest) === JSON.stringify(step)) return
  showStep(step)
}

function showStep(step: Step): void {
  update(step.conversionId, ({ steps }) => ({ quote: step.state.quote, steps: [...steps, step] }))
}

function findNewest(id: string): Step | undefined {
  return find(id)?.steps.at(-1)
}

function find(id: string): PageConversion | undefined {
  return useConversions.getState().conversions.find((conversion) => conversion.id === id)
}

type Change = Partial<PageConversion>

function update(id: string, change: Change | ((conversion: PageConversion) => Change)): void {
  useConversions.setState(({ conversions }) => ({
    conversions: conversions.map((shown) =>
      shown.id === id ? { ...shown, ...(typeof change === 'function' ? change(shown) : change) } : shown,
    ),
  }))
}

function remove(id: string): void {
  useConversions.setState(({ conversions, unreadable }) => ({
    conversions: conversions.filter((shown) => shown.id !== id),
    unreadable: unreadable.filter((stored) => stored.id !== id),
  }))
}

function forgetOldest(): void {
  const { conversions, dismiss } = useConversions.getState()
  const ended = conversions.filter(({ phase, steps }) => phase === 'idle' && steps.some(hasEnded))
  for (const { id } of ended.slice(maxEnded)) dismiss(id)
}

function toInitial(stored: readonly StoredStep[]): Pick<Conversions, 'conversions' | 'unreadable'> {
  return {
    conversions: stored.flatMap(({ step }) => (step ? [toPageConversion(step)] : [])),
    unreadable: stored.flatMap(({ id, error }) => (error === undefined ? [] : [{ id, error }])),
  }
}

function toPageConversion(step: Step): PageConversion {
  return { id: step.conversionId, quote: step.state.quote, steps: [step], phase: 'idle' }
}

function toLockName(id: string): string {
  return `agio.conversion.${id}`
}

/** Shows the steps that other tabs store. */
window.addEventListener('storage', ({ key, newValue }) => {
  const id = parseStoredName(key ?? '')
  if (id === undefined) return
  const shown = find(id)
  if (newValue === null) {
    if (shown?.phase !== 'running') remove(id)
    return
  }
  const { step } = parseStoredStep(id, newValue)
  if (!step) return
  if (shown) showNewer(step)
  else useConversions.setState(({ conversions }) => ({ conversions: [toPageConversion(step), ...conversions] }))
  if (find(id)?.phase === 'idle' && !hasEnded(step)) void attend(id, {})
})
