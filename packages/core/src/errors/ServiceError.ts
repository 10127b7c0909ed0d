import type { ErrorCode, ErrorDetails } from './errorCatalogue.ts'

/**
 * An error that the service returns to the caller: a code of the catalogue, a message of one sentence, and the details
 * of the code. The `cause` is logged and never returned. Create it with the constructors of `Errors`.
 */
export class ServiceError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError'
  readonly code: Code
  readonly details: ErrorDetails<Code>

  constructor(code: Code, message: string, { cause, ...details }: ErrorDetails<Code> & Cause) {
    super(message, { cause })
    this.code = code
    this.details = details as unknown as ErrorDetails<Code>
  }
}

/** The cause of an error, for the log. */
export type Cause = { readonly cause?: unknown }

/** What the service could not do, and why. The message of the error is "Cannot <action>: <reason>". */
export type Refusal = { readonly action: string; readonly reason: string }
