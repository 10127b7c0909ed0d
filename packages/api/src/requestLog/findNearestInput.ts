import { isObject, type ErrorCode, type ServiceError } from '@agio/core'

type Replacement = { readonly field: string; readonly detail: string }

/** The detail of an error that works in a field of the refused request. */
const replacements: Readonly<Partial<Record<ErrorCode, Replacement>>> = {
  'svc/above-max-origin': { field: 'amountIn', detail: 'maxAmountIn' },
  'svc/no-convergence': { field: 'amountIn', detail: 'nearestAmountIn' },
  'svc/insufficient-balance': { field: 'amountIn', detail: 'current' },
  'svc/below-min-target': { field: 'minAmountOut', detail: 'amountOut' },
  'svc/above-max-input': { field: 'maxAmountIn', detail: 'amountIn' },
}

/**
 * Returns the fields that would have to change for a refused call to work, by the details of its error. Returns undefined if
 * the details do not say, or if the call did not have the field.
 */
export function findNearestInput(
  { code, details }: ServiceError,
  input: unknown,
): Readonly<Record<string, string>> | undefined {
  const replacement = replacements[code]
  if (!replacement || !isObject(input) || !Object.hasOwn(input, replacement.field)) return undefined
  const value = (details as Readonly<Record<string, unknown>>)[replacement.detail]
  return typeof value === 'string' && /[1-9]/.test(value) ? { [replacement.field]: value } : undefined
}
