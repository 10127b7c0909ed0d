import { ServiceError } from '@agio/core'
import { toShown } from './toShown.ts'

/** The refusal of an option of a scenario. */
export function invalidOption(field: string, value: unknown, reason: string): ServiceError<'svc/invalid-request'> {
  const details = { field, value: toShown(value) }
  return new ServiceError('svc/invalid-request', `Cannot read ${field}: ${reason}`, details)
}
