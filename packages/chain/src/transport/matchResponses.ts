import { isObject } from '@agio/core'

/**
 * Asserts that a node answers each request of a batch once, and nothing else. viem sorts responses by id and then
 * assigns them by position, so it would take a missing, repeated or foreign response for the response to another
 * request.
 *
 * @returns the responses; if one error answers the whole batch, that error once for each request
 * @throws `SyntaxError` if ids are missing, repeated or unknown
 */
export function matchResponses(requests: readonly Identified[], responses: unknown): readonly Identified[] {
  const ids = new Set(requests.map(({ id }) => id))
  if (isBatchError(responses, ids)) return requests.map(({ id }) => ({ jsonrpc: '2.0', id, error: responses.error }))
  if (!Array.isArray(responses) || responses.length !== ids.size) throw unmatched()
  for (const response of responses as readonly unknown[]) {
    // `delete` returns false for a repeated id.
    if (!isResponse(response) || !ids.delete(response.id)) throw unmatched()
  }
  return responses as readonly Identified[]
}

/** A JSON-RPC request or response. */
export type Identified = { readonly id?: unknown; readonly [field: string]: unknown }

function isResponse(value: unknown): value is Identified {
  return isObject(value) && ('result' in value || 'error' in value)
}

function isBatchError(value: unknown, ids: ReadonlySet<unknown>): value is Identified {
  if (!isResponse(value) || !isObject(value['error'])) return false
  return value.id === undefined || value.id === null || ids.has(value.id)
}

function unmatched(): SyntaxError {
  return new SyntaxError('the responses of the node do not match the requests')
}
