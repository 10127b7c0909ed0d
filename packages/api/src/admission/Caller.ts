import type { ApiKey } from '@agio/store'
import type { RateLimit } from '../http/respond.ts'

/** The authenticated caller of a request, with its limits. */
export type Caller = {
  /** Whether the request carried the admin key. */
  readonly isAdmin: boolean
  readonly keyId?: string | undefined
  /** The API key itself; undefined for a refused request. */
  readonly key?: ApiKey | undefined
  readonly rateLimit?: RateLimit | undefined
}

/** The refusal of a request as `cause`, with its caller. The key and the limits of the caller may be unknown. */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError'
  readonly caller: Caller

  constructor(cause: unknown, caller: Omit<Caller, 'isAdmin'>) {
    super('Cannot admit the request: it was refused', { cause })
    this.caller = { isAdmin: false, ...caller }
  }
}
