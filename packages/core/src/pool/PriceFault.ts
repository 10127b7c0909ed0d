import * as Amount from '../amount/Amount.ts'
import type { ErrorDetails, PriceRefusal } from '../errors/errorCatalogue.ts'
import * as Errors from '../errors/Errors.ts'
import type { ServiceError } from '../errors/ServiceError.ts'
import * as Market from '../market/Market.ts'
import type * as Schedule from '../market/Schedule.ts'
import * as Timestamp from '../time/Timestamp.ts'
import type { Address } from '../token/Token.ts'

/** Why a pool does not convert at a price. */
export type PriceFault = AgeFault | InvalidFault | BoundsFault | StepFault | SequencerFault

/** The kind of a fault. Every kind except `depeg` is a reason of `svc/stale-price`. */
export type Reason = PriceRefusal | 'depeg'

type AgeFault = Feed & {
  readonly reason: 'age'
  readonly updatedAtSeconds: bigint
  readonly maxAgeSeconds: bigint
}

type InvalidFault = Feed & { readonly reason: 'invalid'; readonly answer: bigint }

/** An answer outside of the bounds of a token, or of the band of the reference token. Prices have 8 decimals. */
type BoundsFault = Feed & {
  readonly reason: 'bounds' | 'depeg'
  readonly answer: bigint
  readonly minAnswer: bigint
  readonly maxAnswer: bigint
}

/** An answer that differs too much from the answer of the round before. Prices have 8 decimals. */
type StepFault = Feed & {
  readonly reason: 'step'
  readonly answer: bigint
  readonly previousAnswer: bigint
  /** The largest change, as a fraction of the previous answer with 18 decimals. */
  readonly maxStep: bigint
}

type SequencerFault = Feed & {
  readonly reason: 'sequencer'
  /** 0 if the sequencer is up. */
  readonly answer: bigint
  /** When the sequencer stopped or restarted. */
  readonly startedAtSeconds: bigint
  readonly gracePeriodSeconds: bigint
}

/** The feed that the contract has read: of a price, of the reference token, or of the sequencer. */
type Feed = { readonly feed: Address }

/**
 * Returns the error of a fault: `svc/reference-depegged` for the reason `depeg`, otherwise `svc/stale-price`.
 *
 * @param context what is known about the price; a revert contains only its fault
 */
export function toError(fault: PriceFault, context: Context = {}): ServiceError {
  const { subject, price, nowSeconds } = context
  if (fault.reason === 'depeg') return Errors.referenceDepegged({ subject, feed: fault.feed, ...formatBounds(fault) })
  const updatedAtSeconds = fault.reason === 'age' ? fault.updatedAtSeconds : price?.updatedAtSeconds
  const maxAgeSeconds = fault.reason === 'age' ? fault.maxAgeSeconds : price?.maxAgeSeconds
  return Errors.stalePrice({
    subject,
    oracle: fault.feed,
    updatedAt: Timestamp.fromSeconds(updatedAtSeconds ?? 0n),
    maxAgeSeconds: Number(maxAgeSeconds ?? 0n),
    reason: fault.reason,
    state: describe(fault),
    ...(nowSeconds !== undefined && findRetry(fault, price, nowSeconds)),
  })
}

type Context = {
  /** The symbol of the token. */
  readonly subject?: string | undefined
  readonly price?: Terms | undefined
  /** The time of the block of the price. */
  readonly nowSeconds?: bigint | undefined
}

/** What the error states about the price itself. */
type Terms = {
  readonly updatedAtSeconds: bigint
  readonly maxAgeSeconds: bigint
  readonly schedule?: Schedule.Schedule | undefined
}

/** Returns what a feed reports; undefined for an old price, whose error describes its age. */
function describe(fault: PriceFault): string | undefined {
  switch (fault.reason) {
    case 'age':
      return undefined
    case 'invalid':
      return `reports ${fault.answer}`
    case 'step': {
      const { answer, previousAnswer, maxStep } = fault
      const percent = Number(maxStep / 10n ** 12n) / 10_000
      return `reports ${formatPrice(answer)}, more than ${percent} % from ${formatPrice(previousAnswer)} of the round before`
    }
    case 'sequencer':
      return isUp(fault)
        ? `reports a restart of the sequencer less than ${fault.gracePeriodSeconds} s ago`
        : 'reports that the sequencer is down'
    default: {
      const { answer, minAnswer, maxAnswer } = formatBounds(fault)
      return `reports ${answer}, outside of ${minAnswer} to ${maxAnswer}`
    }
  }
}

function formatBounds({ answer, minAnswer, maxAnswer }: BoundsFault): Bounds {
  return { answer: formatPrice(answer), minAnswer: formatPrice(minAnswer), maxAnswer: formatPrice(maxAnswer) }
}

type Bounds = Omit<ErrorDetails<'svc/reference-depegged'>, 'feed'>

function formatPrice(answer: bigint): string {
  return Amount.format(answer, 8)
}

function isUp({ answer, startedAtSeconds }: SequencerFault): boolean {
  return answer === 0n && startedAtSeconds > 0n
}

/** Returns when a retry makes sense: when a closed market opens, or when the grace period ends; undefined if unknown. */
function findRetry(fault: PriceFault, price: Terms | undefined, nowSeconds: bigint): Retry | undefined {
  if (fault.reason !== 'sequencer') return findReopening(price, Number(nowSeconds))
  const endSeconds = fault.startedAtSeconds + fault.gracePeriodSeconds + 1n
  if (!isUp(fault) || endSeconds <= nowSeconds) return undefined
  return { retryAfterSeconds: Number(endSeconds - nowSeconds) }
}

type Retry = { readonly opensAt?: string; readonly retryAfterSeconds: number }

/** Returns when a closed market opens again; undefined if the market is open, or if its hours are unknown. */
function findReopening(price: Terms | undefined, nowSeconds: number): Retry | undefined {
  const hours = price?.schedule && Market.findHours([price.schedule], nowSeconds)
  if (!hours || hours.isOpen || hours.nextOpen === undefined) return undefined
  return { opensAt: Timestamp.fromSeconds(BigInt(hours.nextOpen)), retryAfterSeconds: hours.nextOpen - nowSeconds }
}
