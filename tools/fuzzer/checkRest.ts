import { operations } from '../../test/harness/openApi.ts'
import { checkByDocument, checkError } from './checkBody.ts'
import type { FuzzResponse } from './FuzzRequest.ts'

/**
 * Returns the violation of a REST response, if any.
 *
 * @param request the request, if known
 */
export function checkRest(request: checkRest.Request | undefined, answer: FuzzResponse): string | undefined {
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

export declare namespace checkRest {
  type Request = {
    readonly method: string
    readonly path: string
  }
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
