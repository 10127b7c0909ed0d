import { errorCatalogue, type ErrorCode } from '@agio/core'
import { expectDocumented } from '../../test/harness/openApi.ts'
import type { FuzzResponse } from './FuzzRequest.ts'

/** Returns how the envelope of an error differs from the catalogue, if it does. */
export function checkError(body: unknown, { status, headers }: FuzzResponse): string | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return 'it is not in the envelope'
  const code = String(body.code)
  if (!Object.hasOwn(errorCatalogue, code)) return `its code ${code} is not of the catalogue`
  const entry = errorCatalogue[code as ErrorCode]
  const { success, error, type, retryable, action, requestId } = body as Readonly<Record<string, unknown>>
  const checks = {
    success: success === false,
    status: status === entry.status,
    error: typeof error === 'string' && error.startsWith(`${code}: Cannot `),
    type: type === `/docs/errors#${code.slice('svc/'.length)}`,
    retryable: retryable === entry.retryable,
    action: action === entry.action,
    requestId: requestId === headers['x-request-id'],
    'media type': headers['content-type'] === 'application/json',
  }
  const violation = Object.entries(checks).find(([, isRight]) => !isRight)?.[0]
  return violation === undefined ? undefined : `its ${violation} is wrong`
}

/** Returns how a body differs from the schema in openapi.json for an operation and a status, if it does. */
export function checkByDocument(operationId: string, status: number, body: unknown): string | undefined {
  try {
    expectDocumented(operationId, status, body)
    return undefined
  } catch (error) {
    return String(error)
  }
}
