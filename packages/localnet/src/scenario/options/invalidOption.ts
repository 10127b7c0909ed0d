import { ServiceError, toSafeEcho } from '@agio/core'

/** The refusal of an option of a scenario. */
export function invalidOption(field: string, value: unknown, reason: string): ServiceError<'svc/invalid-request'> {
  const details = { field: toSafeEcho(field), value: toSafeEcho(value) }
  return new ServiceError('svc/invalid-request', `Cannot read ${details.field}: ${reason}`, details)
}
