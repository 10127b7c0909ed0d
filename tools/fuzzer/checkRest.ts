import { errorCatalogue, type ErrorCode } from '@agio/core'
import { expectDocumented, operations } from '../../test/harness/openApi.ts'
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

/**
 * Returns the violation of a REST response, if any.
 *
 * @param request the request, if known
 */
export function checkRest(request: CheckedRequest | undefined, answer: FuzzResponse): string | undefined {
  const { status, text } = answer
  const body = parse(text)
  const violation = status === 200 ? undefined : checkError(body, answer)
  if (violation !== undefined || !request) return violation
  const operation = operations.find(
    ({ method, path }) => method === request.method && toPattern(path).test(request.path),
  )
  if (operation) return checkByDocument(operation.operationId, status, body)
  return status === 200 ? 'it is a success where openapi.json has none' : undefined
}

type CheckedRequest = {
  readonly method: string
  readonly path: string
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
