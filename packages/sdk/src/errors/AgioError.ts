import type { ErrorAction, ErrorCode } from '../api/schemas.ts'
import type { ErrorDetails } from './ErrorDetails.ts'

/** The fields of the errors that the client creates, by code. */
export type ClientErrorDetails = {
  /** The user rejected a request in the wallet. */
  'wallet/rejected': { method: string }
  /** The wallet is connected to another network and did not switch. */
  'wallet/wrong-chain': { expected: number; actual?: number | undefined }
  /** The account that started the conversion is no longer selected in the wallet. */
  'wallet/account-changed': { expected: `0x${string}`; actual?: `0x${string}` | undefined }
  /** The wallet sent a replacement with another nonce than the pending transaction. Both may be mined. */
  'wallet/nonce-changed': { transactionHash: `0x${string}`; expected: number; actual: number }
  /** The wallet or its node failed. */
  'wallet/failed': { method: string; walletCode?: number | undefined }
  /** The service is unreachable, or a proxy in front of it cannot reach it. `status` is the status of the proxy. */
  'network/unreachable': { url: string; status?: number | undefined; retryAfterSeconds?: number | undefined }
  /** The response did not come from an Agio service, for example a proxy's error page. */
  'network/invalid-response': { url: string; status?: number | undefined }
  /** The response of the service does not match the quote or the request. Nothing was signed. */
  'convert/mismatch': { field: string; expected: string; actual: string }
  /** The conversion was stopped by its signal. Transactions that were already sent cannot be stopped. */
  'convert/aborted': { transactionHash?: `0x${string}` | undefined }
  /**
   * Another transaction of the wallet took the nonce of the conversion. `cancel` is an empty transfer to itself,
   * `same-intent` converts the same amount of the same tokens at other terms, `other` is any other transaction. Absent
   * if unknown.
   */
  'convert/replaced': {
    transactionHash: `0x${string}`
    replacedBy: `0x${string}`
    kind?: 'cancel' | 'same-intent' | 'other' | undefined
  }
  /** The transaction was not mined before its deadline and can no longer convert. */
  'convert/dropped': { transactionHash?: `0x${string}` | undefined }
  /** The stored step is invalid, or comes from an incompatible version of this package. */
  'convert/invalid-step': { reason: string }
}

/**
 * What to do after an error. `resume` is for a conversion that has sent a transaction or may have sent one: another
 * conversion could convert twice, so continue with `agio.resume` from the failed step. The other values come from the
 * service.
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
 * The error of this package for everything that fails at run time. `code` says what happened, `details` has the fields
 * of that code, and `action` says what to do next.
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
  /** Id of the request in the log of the service. Undefined for an error of the client. */
  readonly requestId: string | undefined
  /** HTTP status of the response. Undefined without a response. */
  readonly status: number | undefined
  /** Seconds to wait before a retry, if the response contains them. */
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

/** An error of any code, narrowed by `code`. */
export type AnyAgioError = { [Code in AgioErrorCode]: AgioError<Code> }[AgioErrorCode]

/** Returns whether a thrown value is an error of this package. */
export function isAgioError(error: unknown): error is AnyAgioError {
  return error instanceof Error && error.name === 'AgioError' && 'code' in error
}
