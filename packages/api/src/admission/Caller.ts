import type { Operator } from '@agio/core'
import type { ApiKey } from '@agio/store'
import type { RateLimit } from '../http/respond.ts'

/** The authenticated caller of a request, with its limits. */
export type Caller = {
  /** The operator whose admin key the request carried; undefined for a request without admin operations. */
  readonly operator?: Operator.Operator | undefined
  readonly keyId?: string | undefined
  /** The API key itself; undefined for a refused request. */
  readonly key?: ApiKey | undefined
  readonly rateLimit?: RateLimit | undefined
  /** When the key expires, as ISO 8601; only within the last days before. */
  readonly keyExpiresAt?: string | undefined
}

/** The refusal of a request as `cause`, with its caller. The key and the limits of the caller may be unknown. */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError'
  readonly caller: Caller

  constructor(cause: unknown, caller: Caller) {
    super('Cannot admit the request: it was refused', { cause })
    this.caller = caller
  }
}
