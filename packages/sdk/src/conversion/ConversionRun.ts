import type { AgioApi } from '../api/AgioApi.ts'
import type { CallOptions } from '../api/procedures.ts'
import type { ConversionReceipt } from '../api/schemas.ts'
import { withSignal } from '../client/withSignal.ts'
import type { AgioError } from '../errors/AgioError.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import type { QuoteService } from '../quote/requestQuote.ts'
import type { Nodes } from '../wallet/connectNodes.ts'
import type { WalletSession } from '../wallet/WalletSession.ts'
import type { Publish } from './Conversion.ts'
import type { ConversionState } from './ConversionState.ts'
import type { ConvertOptions } from './ConvertOptions.ts'
import type { Turn, Turns } from './createTurns.ts'
import type { Replacements } from './Replacement.ts'
import { toStepError, type Step, type StepContent } from './Step.ts'

/** The access to the service that all conversions share. */
export type ConversionService = QuoteService & {
  /** Base URL of the service. */
  readonly url: string
  readonly nodes: Nodes
  /** The same operations without retries, for polls. */
  readonly unretried: AgioApi
  /** Requotes the request within the accepted limit. */
  readonly refresh: (quote: AgioQuoteData, options?: CallOptions) => Promise<AgioQuoteData>
  readonly turns: Turns
  readonly replacements: Replacements
}

/** A running conversion: its dependencies, its state, and the functions that publish its steps. */
export type ConversionRun = {
  readonly conversionId: string
  readonly service: ConversionService
  readonly session: WalletSession
  readonly options: RunOptions
  readonly line: Turn['line']
  readonly state: ConversionState
  /** Changes the state. An undefined value removes a field. */
  update(change: Change): void
  /**
   * Publishes a step, after `onStep` has returned from the previous step. For a step that waits for the wallet, it resolves once
   * every listener has taken the step.
   */
  publish(content: StepContent): Promise<void>
  /** Returns whether `onStep` is running. */
  isTelling(): boolean
  /** Returns whether `onStep` threw an error. */
  isThrownByCaller(error: unknown): boolean
  /** The step of the last replacement. Rejects if `onStep` threw for it. */
  followed: Promise<void>
  /** Whether the conversion has its outcome, so that no replacement counts any more. */
  hasOutcome: boolean
  /** Sets the step that fails if the next action fails. */
  begin(content: StepContent): void
  /** The first error that was passed to `fail`. */
  readonly failure: AgioError | undefined
  /** Publishes the failure of the current step as the last step. Errors of `onStep` are ignored here. */
  fail(error: AgioError, receipt?: ConversionReceipt): Promise<void>
  /** Waits for a number of milliseconds, or until `wake` is called. */
  pause(ms: number): Promise<void>
  /** Ends the present pause, or skips the next one. */
  wake(): void
  /** Lets the next conversion of the same token and account begin. */
  endTurn(): Promise<void>
}

type RunOptions = Omit<ConvertOptions, 'quote' | 'wallet'>

type Change = { readonly [Field in keyof ConversionState]?: ConversionState[Field] | undefined }

/** Creates the run of a conversion from a new or a stored state. */
export function createConversionRun({ state, ...dependencies }: createConversionRun.Dependencies): ConversionRun {
  const { conversionId, service, session, options, line } = dependencies
  const { signal } = options
  const { tell, tellOutcome, isTelling, isThrownByCaller } = createTeller(options)
  let isWoken = false
  let endPause = () => {}
  let last: StepContent = { kind: 'convert', status: 'needed' }

  const toStep = (content: StepContent): Step => {
    const { transactionHash } = run.state.pending ?? {}
    const at = new Date().toISOString()
    return { conversionId, at, ...(transactionHash && { transactionHash }), ...content, state: run.state }
  }

  const run = {
    failure: undefined as AgioError | undefined,
    conversionId,
    service,
    session,
    options,
    line,
    state,
    followed: Promise.resolve(),
    hasOutcome: false,
    isTelling,
    isThrownByCaller,
    update(change: Change) {
      const entries = Object.entries({ ...run.state, ...change }).filter(([, value]) => value !== undefined)
      run.state = Object.fromEntries(entries) as ConversionState
    },
    async publish(content: StepContent) {
      last = content
      const step = toStep(content)
      const taken = dependencies.publish(step)
      // An abort after the end changes nothing.
      if (content.kind === 'confirm' && content.status === 'done') return await tellOutcome(step)
      await withSignal(signal, async () => {
        await tell(step)
        if (content.status === 'waiting-for-wallet') await taken
      })
    },
    begin(content: StepContent) {
      last = content
    },
    async fail(error: AgioError, receipt?: ConversionReceipt) {
      if (run.failure) return
      run.failure = error
      run.hasOutcome = true
      const outcome = { status: 'failed', error: toStepError(error), ...(receipt && { receipt }) }
      const step = toStep({ ...withoutOutcome(last), ...outcome } as StepContent)
      void dependencies.publish(step)
      await tellOutcome(step)
    },
    async pause(ms: number) {
      const sleep = new Promise<void>((resolve) => {
        endPause = resolve
      })
      const timer = setTimeout(() => endPause(), isWoken ? 0 : ms)
      await withSignal(signal, () => sleep).finally(() => clearTimeout(timer))
      isWoken = false
    },
    wake() {
      isWoken = true
      endPause()
    },
    endTurn: dependencies.endTurn,
  }
  return run
}

/** Calls `onStep` with one step after the other, so that it stores them in order. */
function createTeller({ onStep, signal }: RunOptions) {
  const thrown = new Set<unknown>()
  let running = 0
  let last: Promise<void> = Promise.resolve()
  async function tell(step: Step): Promise<void> {
    running += 1
    const call = last.then(() => onStep?.(step)).finally(() => (running -= 1))
    last = call.catch((error: unknown) => void thrown.add(error))
    await call
  }
  return {
    tell,
    /**
     * Ignores an error of `onStep`, which must not replace the outcome of the conversion. A conversion that was stopped does not
     * wait for the previous call, which may never end.
     */
    async tellOutcome(step: Step): Promise<void> {
      try {
        await (signal?.aborted ? onStep?.(step) : tell(step))
      } catch {}
    },
    isTelling: () => running > 0,
    isThrownByCaller: (error: unknown) => thrown.has(error),
  }
}

const outcomeFields: ReadonlySet<string> = new Set([
  'status',
  'quote',
  'isRequote',
  'batchId',
  'replaced',
  'replacement',
  'receipt',
  'field',
  'expected',
  'actual',
])

/** Returns the fields of a step without its outcome. */
function withoutOutcome(content: StepContent): object {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !outcomeFields.has(name)))
}

export declare namespace createConversionRun {
  type Dependencies = {
    readonly conversionId: string
    readonly state: ConversionState
    readonly service: ConversionService
    readonly session: WalletSession
    readonly options: RunOptions
    readonly line: Turn['line']
    readonly publish: Publish
    readonly endTurn: () => Promise<void>
  }
}
