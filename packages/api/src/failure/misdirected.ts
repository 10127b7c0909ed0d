import { ServiceError } from '@agio/core'

/** The refusal of a path at which there is nothing, or nothing that the caller may know of. */
export function nothingAt(path: string): ServiceError<'svc/not-found'> {
  return new ServiceError('svc/not-found', `Cannot find ${path}: there is nothing at this path`, {})
}

/**
 * The refusal of a method that a path does not take.
 *
 * @param allow the methods that it takes, as in the header `Allow`
 */
export function wrongMethod(path: string, method: string, allow: string): ServiceError<'svc/method-not-allowed'> {
  return new ServiceError('svc/method-not-allowed', `Cannot call ${path} by ${method}: it takes ${allow}`, {})
}
