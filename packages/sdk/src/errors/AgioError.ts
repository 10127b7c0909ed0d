import type { ErrorAction, ErrorCode } from '../api/schemas.ts'
import type { ErrorDetails } from './ErrorDetails.ts'
import { findFlaw, type Shape } from './findFlaw.ts'
import { toUserMessage } from './userMessages.ts'

/** The fields of the errors that the client creates, by code. */
type ClientErrorDetails = {
  /** The user rejected a request in the wallet. */
  'wallet/rejected': { method: string }
  /** The wallet is connected to another network and did not switch. */
  'wallet/wrong-chain': { expected: number; actual?: number | undefined }
  /** The account that started the conversion is no longer selected in the wallet. */
  'wallet/account-changed': { expected: `0x${string}`; actual?: `0x${string}` | undefined }
  /** The wallet sent a replacement with another nonce than the pending transaction. Both may be mined. */
  'wallet/nonce-changed': { transactionHash: `0x${string}`; expected: number; actual: number }
  /** The wallet does not pass a read to its node, which the SDK needs to check the quote. Nothing was signed. */
  'wallet/cannot-read': { method: string }
  /** The wallet or its node failed. */
  'wallet/failed': { method: string; walletCode?: number | undefined }
  /** The service is unreachable, or a proxy in front of it cannot reach it. `status` is the status of the proxy. */
  'network/unreachable': { url: string; status?: number | undefined; retryAfterSeconds?: number | undefined }
  /** The response did not come from an Agio service, for example a proxy's error page, or is larger than 1 MB. */
  'network/invalid-response': { url: string; status?: number | undefined }
  /** The response of the service does not match the quote or the request. Nothing was signed. */
  'convert/mismatch': { field: string; expected: string; actual: string }
  /** `createAgio` has no contracts for the chain of the quote. Nothing was signed. */
  'convert/unpinned-contracts': { chainId: number }
  /** The conversion would revert now, although the service reports no problem. Nothing was sent. */
  'convert/simulation-failed': { reason: string }
  /** The gas of a transaction may cost more than `maxGasCost`, in wei. Nothing was signed. */
  'convert/above-max-gas-cost': { maxGasCost: string; gasCost: string }
  /** The conversion has asked the wallet as often as it may. */
  'convert/too-many-prompts': { prompts: number }
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
  /** The stored step is invalid, is not the `expected` one, or comes from an incompatible version of this package. */
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
  /** A short text for users: what happened and what to do next, without amounts. `message` is for developers. */
  readonly userMessage: string
  /** Id of the request in the log of the service. Undefined for an error of the client. */
  readonly requestId: string | undefined
  /** Id of the trace of the request, for the operator of the service. Undefined for most requests. */
  readonly traceId: string | undefined
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
    this.userMessage = toUserMessage(code, fields.action, { message, details })
    this.requestId = fields.requestId
    this.traceId = fields.traceId
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
    readonly traceId?: string | undefined
    readonly status?: number | undefined
    readonly retryAfterSeconds?: number | undefined
    readonly cause?: unknown
  }
}

/** An error of any code, narrowed by `code`. */
export type AnyAgioError = { [Code in AgioErrorCode]: AgioError<Code> }[AgioErrorCode]

/**
 * Returns whether a thrown value is an error of this package.
 *
 * @example
 * if (isAgioError(error) && error.action === 'requote') quote = await quote.refresh()
 */
export function isAgioError(error: unknown): error is AnyAgioError {
  return error instanceof Error && error.name === 'AgioError' && 'code' in error
}

const catalogue: { readonly [Code in keyof ClientErrorDetails]: Entry } = {
  'wallet/rejected': { retryable: true, action: 'retry' },
  'wallet/wrong-chain': { retryable: true, action: 'retry' },
  'wallet/account-changed': { retryable: true, action: 'retry' },
  'wallet/nonce-changed': { retryable: false, action: 'wait' },
  'wallet/cannot-read': { retryable: false, action: 'fix_input' },
  'wallet/failed': { retryable: true, action: 'retry' },
  'network/unreachable': { retryable: true, action: 'retry' },
  'network/invalid-response': { retryable: false, action: 'fix_input' },
  'convert/mismatch': { retryable: false, action: 'requote' },
  'convert/unpinned-contracts': { retryable: false, action: 'fix_input' },
  'convert/simulation-failed': { retryable: true, action: 'requote' },
  'convert/above-max-gas-cost': { retryable: true, action: 'wait' },
  'convert/too-many-prompts': { retryable: false, action: 'requote' },
  'convert/aborted': { retryable: true, action: 'retry' },
  'convert/replaced': { retryable: false, action: 'requote' },
  'convert/dropped': { retryable: true, action: 'requote' },
  'convert/invalid-step': { retryable: false, action: 'fix_input' },
}

type Entry = { readonly retryable: boolean; readonly action: ErrorAction }

/** Creates an error of the client. */
export function clientError<Code extends keyof ClientErrorDetails>(
  code: Code,
  message: string,
  { cause, ...details }: AgioErrorDetails<Code> & { readonly cause?: unknown },
): AgioError<Code> {
  const { status, retryAfterSeconds }: { status?: number; retryAfterSeconds?: number } = details
  return new AgioError(code, `${code}: ${message}`, {
    ...catalogue[code],
    details: details as unknown as AgioErrorDetails<Code>,
    status,
    retryAfterSeconds,
    cause,
  })
}

/**
 * An error of the service, from tRPC or from a topic of a stream. `data` has the common fields and the fields of its
 * code.
 */
type ServiceFailure = {
  readonly message: string
  readonly data: {
    readonly code: ErrorCode
    readonly type?: string
    readonly path?: string
    /** Absent in an event of a stream. */
    readonly httpStatus?: number
    readonly retryable: boolean
    readonly action: ErrorAction
    readonly requestId?: string
    readonly traceId?: string
    readonly retryAfterSeconds?: number
  }
}

/**
 * Returns whether a parsed response is an error of the service. Any code that begins with `svc/` is accepted, because a newer
 * service may have new codes.
 */
export function isServiceFailure(error: unknown): error is ServiceFailure {
  return !findFlaw('error', error, failureShape)
}

const failureShape: Shape = {
  message: 'string',
  data: {
    code: 'code of the service',
    retryable: 'boolean',
    action: 'string',
    'requestId?': 'string',
    'traceId?': 'string',
    'httpStatus?': 'whole number',
  },
}

const actions: ReadonlySet<string> = new Set<ErrorAction>(['requote', 'wait', 'fix_input', 'fund', 'approve', 'retry'])

/**
 * Converts an error response to an `AgioError`. Seconds that are not a whole number are left out, and an unknown action is
 * replaced.
 *
 * @param headerSeconds value of the header `Retry-After`, for codes without this field
 */
export function toAgioError({ message, data }: ServiceFailure, headerSeconds?: number): AgioError<ErrorCode> {
  const {
    code,
    type: _,
    path: __,
    httpStatus: status,
    retryable,
    requestId,
    traceId,
    retryAfterSeconds,
    ...rest
  } = data
  const { action, ...details } = rest
  const seconds = findFlaw('', retryAfterSeconds, 'whole number') ? undefined : retryAfterSeconds
  return new AgioError(code, message, {
    details: seconds === undefined ? details : { ...details, retryAfterSeconds: seconds },
    retryable,
    action: actions.has(action) ? action : retryable ? 'retry' : 'fix_input',
    requestId,
    traceId,
    status,
    retryAfterSeconds: seconds ?? headerSeconds,
  })
}
