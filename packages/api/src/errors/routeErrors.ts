import { ServiceError } from '@agio/core'

/** Returns the error for a path that the service does not serve, or does not reveal to this caller. */
export function notFound(path: string): ServiceError<'svc/not-found'> {
  return new ServiceError('svc/not-found', `Cannot find ${path}: no operation exists at this path`, {})
}

/**
 * Returns the error for a method that a path does not support.
 *
 * @param allow the supported methods, as in the header `Allow`
 */
export function methodNotAllowed(path: string, method: string, allow: string): ServiceError<'svc/method-not-allowed'> {
  return new ServiceError('svc/method-not-allowed', `Cannot call ${path} by ${method}: it supports ${allow}`, {})
}

/** Returns the error for the console of a service that has no built page. */
export function consoleNotBuilt(path: string): ServiceError<'svc/not-found'> {
  return new ServiceError('svc/not-found', `Cannot find ${path}: the console is not built. Run \`pnpm build\``, {})
}
