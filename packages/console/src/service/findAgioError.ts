import { isAgioError, type AnyAgioError } from '@agio/sdk'

/** Returns the error of the service, or of its client, that something was thrown for; undefined for any other. */
export function findAgioError(error: unknown): AnyAgioError | undefined {
  if (isAgioError(error)) return error
  return error instanceof Error && error.cause !== undefined ? findAgioError(error.cause) : undefined
}
