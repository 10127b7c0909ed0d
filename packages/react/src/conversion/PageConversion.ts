import type { AgioQuoteData, Step } from '@agio/sdk'
import type { StoredStep } from './storedSteps.ts'

/** All conversions of a provider. */
export type ConversionsState = {
  /** Newest first. */
  readonly conversions: readonly PageConversion[]
  /** Stored conversions that cannot be read. */
  readonly unreadable: readonly UnreadableConversion[]
}

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

/** Returns the conversions of stored steps. */
export function toInitial(stored: readonly StoredStep[]): ConversionsState {
  return {
    conversions: stored.flatMap(({ step }) => (step ? [toPageConversion(step)] : [])),
    unreadable: stored.flatMap(({ id, error }) => (error === undefined ? [] : [{ id, error }])),
  }
}

/** Returns the conversion of a stored step, which no tab runs yet. */
export function toPageConversion(step: Step): PageConversion {
  return { id: step.conversionId, quote: step.state.quote, steps: [step], phase: 'idle' }
}
