import type { ErrorAction, ErrorCode } from '../api/schemas.ts'
import type { ErrorDetails } from './ErrorDetails.ts'

/** The fields of the errors that the client finds itself, by code. */
export type ClientErrorDetails = {
  /** The user refused a request of the wallet. */
  'wallet/rejected': { method: string }
  /** The wallet is connected to another network, and does not switch. */
  'wallet/wrong-chain': { expected: number; actual?: number | undefined }
  /** The wallet has another account than the conversion began with, or none. */
  'wallet/account-changed': { expected: `0x${string}`; actual?: `0x${string}` | undefined }
  /** The wallet sent a replacement with another nonce than that of the pending transaction: both may be mined. */
  'wallet/nonce-changed': { transactionHash: `0x${string}`; expected: number; actual: number }
  /** The wallet or its node failed. */
  'wallet/failed': { method: string; walletCode?: number | undefined }
  /** The service cannot be reached, or a proxy before it cannot reach it; of the latter the status is known. */
  'network/unreachable': { url: string; status?: number | undefined; retryAfterSeconds?: number | undefined }
  /** What answered is not the service. */
  'network/invalid-response': { url: string; status?: number | undefined }
  /** What the service built is not what was quoted. Nothing was signed. */
  'convert/mismatch': { field: string; expected: string; actual: string }
  /** The conversion was stopped by its signal. What was sent before goes on. */
  'convert/aborted': { transactionHash?: `0x${string}` | undefined }
  /**
   * Another transaction of the wallet took the nonce of the conversion: a `cancel` is an empty transfer to itself, `same-intent`
   * converts the same amount of the same tokens at other terms, `other` is anything else. Absent if that is unknown.
   */
  'convert/replaced': {
    transactionHash: `0x${string}`
    replacedBy: `0x${string}`
    kind?: 'cancel' | 'same-intent' | 'other' | undefined
  }
  /** The transaction was not mined before its deadline, and can convert nothing any more. */
  'convert/dropped': { transactionHash?: `0x${string}` | undefined }
  /** The stored step is none, or of a version that this version cannot continue. */
  'convert/invalid-step': { reason: string }
}

/**
 * What to do after an error: what the service says, or `resume`, for a conversion of which something was or may have been sent.
 * Another one could convert twice: `agio.resume` goes on from the step that has failed.
 */
export type AgioErrorAction = ErrorAction | 'resume'

/** A code of the service, or of the client. */
export type AgioErrorCode = ErrorCode | keyof ClientErrorDetails

/** The fields of an error, by its code. */
export type AgioErrorDetails<Code extends AgioErrorCode> = Code extends keyof ClientErrorDetails
  ? ClientErrorDetails[Code]
  : Code extends keyof ErrorDetails
    ? ErrorDetails[Code]
    : Record<string, unknown>

/**
 * The only error that this package throws. Its `code` says what happened, `details` has the fields of that code, and `action`
 * what to do next.
 *
 * @example
 * if (isAgioError(error) && error.code === 'svc/stale-price') console.log(error.details.updatedAt)
 */
export class AgioError<Code extends AgioErrorCode = AgioErrorCode> extends Error {
  override readonly name = 'AgioError'
  readonly code: Code
  readonly details: AgioErrorDetails<Code>
  /** Whether the same call can succeed later. */
  readonly retryable: boolean
  /** What to do next. */
  readonly action: AgioErrorAction
  /** Id of the request in the log of the service; undefined for an error of the client. */
  readonly requestId: string | undefined
  /** HTTP status of the response; undefined without one. */
  readonly status: number | undefined
  /** Seconds to wait before a retry, where the response says them. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: Code, message: string, { details, cause, ...fields }: AgioError.Fields<Code>) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
    this.retryable = fields.retryable
    this.action = fields.action
    this.requestId = fields.requestId
    this.status = fields.status
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

export declare namespace AgioError {
  type Fields<Code extends AgioErrorCode> = {
    readonly details: AgioErrorDetails<Code>
    readonly retryable: boolean
    readonly action: AgioErrorAction
    readonly requestId?: string | undefined
    readonly status?: number | undefined
    readonly retryAfterSeconds?: number | undefined
    readonly cause?: unknown
  }
}

/** An error of any code, which `code` narrows. */
export type AnyAgioError = { [Code in AgioErrorCode]: AgioError<Code> }[AgioErrorCode]

/** Whether something that was thrown is an error of this package. */
export function isAgioError(error: unknown): error is AnyAgioError {
  return error instanceof Error && error.name === 'AgioError' && 'code' in error
}
