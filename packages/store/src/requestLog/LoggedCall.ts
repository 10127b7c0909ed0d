/** A call of a key, for its request log. */
export type LoggedCall = {
  readonly keyId: string
  /** When the request arrived. */
  readonly atMs: number
  readonly requestId: string
  readonly operation: string
  /** HTTP status of the call. */
  readonly status: number
  /** Code of the error, or of the failure of the call's transaction. */
  readonly code: string | undefined
  /** Milliseconds from the request to the response. */
  readonly ms: number
  /** Milliseconds for which the request only waited for its turn at the nodes. */
  readonly queueMs: number
  /** Milliseconds for which the request waited for nodes. */
  readonly nodeMs: number
  readonly nodeRequests: number
  /** The redacted input, as JSON text. */
  readonly input: string | undefined
  /** For a refusal, the fields of the nearest input that works, as JSON text. */
  readonly nearestInput: string | undefined
  readonly transactionHash: string | undefined
}

/** A call as stored. Its id sorts by time. */
export type CallRecord = LoggedCall & { readonly id: string }

/** Why a call is missing in the log: a limit of the log, a full buffer, or a failed write. */
export type DropReason = (typeof dropReasons)[number]

/** All reasons of `DropReason`. */
export const dropReasons = ['sampled', 'full', 'lost'] as const

/** Which calls to list. Times are in milliseconds; `fromMs` is included and `toMs` is not. */
export type CallFilter = {
  /** Default: the calls of all keys. */
  readonly keyId?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly operation?: string | undefined
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly requestId?: string | undefined
  readonly transactionHash?: string | undefined
  /** The last id of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}
