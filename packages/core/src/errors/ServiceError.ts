import type { ErrorCode, ErrorDetails } from './errorCatalogue.ts'

/**
 * An error that the service returns to the caller: a code of the catalogue, a message of one sentence, and the details of the
 * code. The `cause` is logged and never returned.
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
