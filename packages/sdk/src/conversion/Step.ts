import type { ChainId, ConversionReceipt, TokenReference } from '../api/schemas.ts'
import { clientError, type AgioErrorCode, type AnyAgioError, type AgioError } from '../errors/AgioError.ts'
import { findQuoteFlaw, type AgioQuoteData } from '../quote/AgioQuote.ts'
import type { ConversionState } from './ConversionState.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { isObject } from '../errors/isObject.ts'

/**
 * One step of a conversion, narrowed by `kind` and `status`. It is plain JSON: store the newest step in `onStep`, and
 * pass it to `agio.resume` after a reload.
 *
 * | Kind | What it does | Statuses |
 * |---|---|---|
 * | `quote` | starts with a quote, or replaces an expired quote | `done`, `needed`, `failed` |
 * | `queue` | waits for another conversion of the same token and account, in this client or in another page | `needed`, `done`, `failed` |
 * | `switch-chain` | asks the wallet to switch to the chain of the quote | `needed`, `waiting-for-wallet`, `done`, `failed` |
 * | `approve` | sends an approval, or the reset before it | all but `warning` |
 * | `permit` | requests a signature instead of an approval | `needed`, `waiting-for-wallet`, `done`, `skipped`, `failed` |
 * | `batch` | sends approval and conversion as one batch | those of `permit`, and `sent` |
 * | `convert` | sends the conversion | `needed`, `waiting-for-wallet`, `sent`, `failed` |
 * | `confirm` | waits for the transaction of the conversion | `needed`, `waiting-for-signers`, `sent`, `warning`, `done`, `failed` |
 *
 * @example
 * const onStep = (step: Step) => localStorage.setItem(`conversion:${step.conversionId}`, JSON.stringify(step))
 * for await (const step of agio.convert({ quote, wallet, onStep })) {
 *   if (step.status === 'waiting-for-wallet') show('Confirm in your wallet')
 *   if (step.kind === 'confirm' && step.status === 'done') show(`Received ${step.receipt.amountOut}`)
 * }
 */
export type Step = StepFields & StepContent

/** The fields of every step. */
export type StepFields = {
  /** Id of the conversion, a random UUID. */
  readonly conversionId: string
  /** Time of the step, ISO 8601. */
  readonly at: string
  /** Hash of the transaction that the step sent or waits for. */
  readonly transactionHash?: `0x${string}`
  /** The state that `resume` continues from. */
  readonly state: ConversionState
}

/** The kind of a step. */
export type StepKind = Step['kind']

/** The progress of a step. */
export type StepStatus = Step['status']

/** The fields that depend on `kind` and `status`. */
export type StepContent =
  | Quoting
  | Queueing
  | SwitchingChain
  | Approving
  | Permitting
  | Batching
  | Converting
  | Confirming

/** An `AgioError` as plain JSON, narrowed by `code`. */
export type StepError = { readonly [Code in AgioErrorCode]: StepErrorOf<Code> }[AgioErrorCode]

type StepErrorOf<Code extends AgioErrorCode> = {
  readonly code: Code
  readonly message: string
  readonly userMessage: string
} & Pick<Extract<AnyAgioError, { readonly code: Code }>, 'details' | 'retryable' | 'action'> & {
    readonly requestId?: string
    readonly status?: number
  }

type Needed = { readonly status: 'needed' }
type Waiting = { readonly status: 'waiting-for-wallet' }
/** The account has code, and no node knows its transaction yet: other signers may have to confirm it. */
type WaitingForSigners = { readonly status: 'waiting-for-signers' }
type Failed = { readonly status: 'failed'; readonly error: StepError }
type Sent = { readonly status: 'sent'; readonly transactionHash: `0x${string}` }

type Quoting = { readonly kind: 'quote' } & (
  | Needed
  | {
      readonly status: 'done'
      readonly quote: AgioQuoteData
      /** Whether it replaced an expired quote. */
      readonly isRequote: boolean
    }
  | Failed
)

type Queueing = { readonly kind: 'queue' } & (Needed | { readonly status: 'done' } | Failed)

type SwitchingChain = {
  readonly kind: 'switch-chain'
  /** Chain id of the wallet. */
  readonly from: number
  /** Chain id of the quote. */
  readonly to: ChainId
} & (Needed | Waiting | { readonly status: 'done' } | Failed)

type Approving = {
  readonly kind: 'approve'
  /** `reset` sets the allowance to zero, which some tokens require before another amount. */
  readonly purpose: 'reset' | 'approve'
  readonly token: TokenReference
  readonly spender: `0x${string}`
  /** Allowance to set, in whole tokens. */
  readonly amount: string
} & (
  | Needed
  | Waiting
  | Sent
  | WaitingForSigners
  | { readonly status: 'done'; readonly transactionHash?: `0x${string}` }
  | Failed
  /** The allowance is already sufficient. */
  | { readonly status: 'skipped' }
)

type Permitting = {
  readonly kind: 'permit'
  /** `permit` is the EIP-2612 permit of the token; `permit2` is Permit2. */
  readonly scheme: 'permit' | 'permit2'
  readonly token: TokenReference
  readonly spender: `0x${string}`
  /** Amount to sign, in whole tokens. */
  readonly amount: string
} & (Needed | Waiting | { readonly status: 'done' } | Failed | Refused)

type Batching = { readonly kind: 'batch' } & (
  | Needed
  | Waiting
  | { readonly status: 'sent'; readonly batchId: string }
  | { readonly status: 'done'; readonly batchId: string; readonly transactionHash: `0x${string}` }
  | Failed
  | Refused
)

/** The user, the wallet or the service rejected it. The conversion continues in another way. */
type Refused = { readonly status: 'skipped'; readonly error: StepError }

type Converting = { readonly kind: 'convert' } & (Needed | Waiting | Sent | Failed)

type Confirming = { readonly kind: 'confirm' } &
  /** Without a hash while the SDK searches for the transaction: the wallet was asked, and its response is unknown. */
  (
    | { readonly status: 'needed'; readonly transactionHash?: `0x${string}` }
    | WaitingForSigners
    /**
     * A replacement was sent: a speed-up, which the conversion now waits for, or a cancellation. The chain decides which
     * transaction is mined.
     */
    | (Sent & { readonly replaced: `0x${string}`; readonly replacement: 'speed-up' | 'cancel' })
    /**
     * The service contradicts the node about the mined transaction, and the node is believed. Or the node has had no
     * `receipt` of it for a minute.
     */
    | ({ readonly status: 'warning'; readonly transactionHash: `0x${string}` } & Contradiction)
    | { readonly status: 'done'; readonly transactionHash: `0x${string}`; readonly receipt: SuccessfulReceipt }
    /** With a receipt if the transaction was mined and reverted. */
    | (Failed & { readonly transactionHash?: `0x${string}`; readonly receipt?: ConversionReceipt })
  )

/** A field in which the service contradicts the chain. */
export type Contradiction = { readonly field: string; readonly expected: string; readonly actual: string }

/**
 * Validates and returns a stored step, which another version of the page may have stored.
 *
 * @throws `convert/invalid-step` for any other value, and for a step of an incompatible version of this package
 *
 * @example
 * const step = parseStep(JSON.parse(localStorage.getItem(`conversion:${conversionId}`) ?? 'null'))
 */
export function parseStep(value: unknown): Step {
  const { conversionId, at, kind, status, error, state } = toObject(value, 'it is not an object')
  // The id is appended to the calldata of the conversion.
  if (typeof conversionId !== 'string' || !uuid.test(conversionId)) throw invalid('its conversionId is not a UUID')
  const { version, chainId, account, quote, fromBlock, refused, pending } = toObject(state, 'it has no state')
  if (version !== 1) throw invalid(`its version is ${String(version)}, and this version of the package reads 1`)
  if (typeof chainId !== 'number' || typeof account !== 'string') throw invalid('it has no account on a chain')
  const flaw = findQuoteFlaw(toObject(quote, 'it has no quote'))
  if (flaw !== undefined) throw invalid(`its quote is invalid: ${flaw}`)
  if (!Number.isSafeInteger(fromBlock) || !Array.isArray(refused)) throw invalid('its state is incomplete')
  if (pending !== undefined) assertPending(toObject(pending, 'its pending request is not an object'))
  if (!kinds.has(kind) || !statuses.has(status) || typeof at !== 'string') throw invalid('its content is unknown')
  if (status === 'failed') toObject(error, 'it has no error')
  return value as Step
}

const kinds: ReadonlySet<unknown> = new Set<StepKind>([
  'quote',
  'queue',
  'switch-chain',
  'approve',
  'permit',
  'batch',
  'convert',
  'confirm',
])
const statuses: ReadonlySet<unknown> = new Set<StepStatus>([
  'needed',
  'waiting-for-wallet',
  'waiting-for-signers',
  'sent',
  'done',
  'skipped',
  'warning',
  'failed',
])

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function assertPending(pending: Readonly<Record<string, unknown>>): void {
  const { kind, to, data, fromBlock, searchedBlock = fromBlock, earlierPayments = [] } = pending
  const areTexts = [kind, to, data].every((value) => typeof value === 'string') && Array.isArray(earlierPayments)
  if (areTexts && Number.isSafeInteger(fromBlock) && Number.isSafeInteger(searchedBlock)) return
  throw invalid('its pending request is incomplete')
}

function toObject(value: unknown, reason: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw invalid(reason)
}

function invalid(reason: string) {
  return clientError('convert/invalid-step', `Cannot resume from the step: ${reason}`, { reason })
}

/**
 * Returns whether a conversion has nothing pending at a step: it has ended, or the wallet has no request that it may
 * have sent. Resume a conversion that is not settled. Starting another one could convert twice.
 *
 * @example
 * if (!isSettled(stored)) await agio.resume(stored, { wallet })
 */
export function isSettled(step: Step): boolean {
  if (step.status === 'failed') return step.error.action !== 'resume'
  return !step.state.pending || (step.kind === 'confirm' && step.status === 'done')
}

/** Returns an error as plain JSON. */
export function toStepError(error: AgioError): StepError {
  const { code, message, userMessage, details, retryable, action, requestId, status } = error
  const fields = { code, message, userMessage, details: toPlain(details), retryable, action }
  return {
    ...fields,
    ...(requestId !== undefined && { requestId }),
    ...(status !== undefined && { status }),
  } as StepError
}

function toPlain(details: object): unknown {
  return JSON.parse(JSON.stringify(details))
}
