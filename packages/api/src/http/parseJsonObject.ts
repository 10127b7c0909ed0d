import { ServiceError } from '@agio/core'

/** Reads a JSON object. @throws `svc/invalid-request` if the text is no JSON or another kind of value */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  const value = parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalid('it is not a JSON object')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('it is not valid JSON')
  }
}

function invalid(reason: string): ServiceError {
  return new ServiceError('svc/invalid-request', `Cannot read the body: ${reason}`, { field: 'body', value: undefined })
}
