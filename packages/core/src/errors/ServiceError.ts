import type { ErrorCode, ErrorDetails } from './errorCatalogue.ts'

/**
 * A refusal that a caller is meant to see: a code of the catalogue, one sentence, and the code's own figures.
 * A `cause` beside the figures is for the log only.
 *
 * @example
 * throw new ServiceError('svc/pool-not-found', `Cannot find pool ${address}: it is not deployed`, { field: 'poolAddress', value: address })
 */
export class ServiceError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError'
  readonly code: Code
  readonly details: ErrorDetails<Code>

  constructor(code: Code, message: string, { cause, ...details }: ErrorDetails<Code> & { readonly cause?: unknown }) {
    super(message, { cause })
    this.code = code
    this.details = details as unknown as ErrorDetails<Code>
  }
}
