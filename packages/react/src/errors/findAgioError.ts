import { isAgioError, type AnyAgioError } from '@agio/sdk'

/** Finds the error of the service or the client in a thrown error. Returns undefined for any other error. */
export function findAgioError(error: unknown): AnyAgioError | undefined {
  if (isAgioError(error)) return error
  return error instanceof Error && error.cause !== undefined ? findAgioError(error.cause) : undefined
}
