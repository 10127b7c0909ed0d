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

/** The refusal of a request, as `cause`, with the key and the limits of its caller as far as they are known. */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError'
  readonly caller: Caller

  constructor(cause: unknown, caller: Omit<Caller, 'isAdmin'>) {
    super('Cannot admit the request: it was refused', { cause })
    this.caller = { isAdmin: false, ...caller }
  }
}
