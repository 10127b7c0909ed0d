import { http } from 'viem'
import type { Endpoint, NodeLink } from './NodeLink.ts'
import { isObject } from '@agio/core'

/**
 * Connects to a node over HTTP. Requests of the same tick form one JSON-RPC batch, except `eth_chainId`. Every other
 * request waits for the response of `eth_chainId`, which must not wait for the slowest request of a batch.
 */
export function createHttpEndpoint({ url, timeoutMs, fetch }: createHttpEndpoint.Options): Endpoint {
  const options = { timeout: timeoutMs, retryCount: 0, fetchFn: bufferResponse(fetch) }
  const { request: requestBatched } = http(url, { ...options, batch: { wait: 0 } })({})
  const { request: requestAlone } = http(url, options)({})
  const link: NodeLink = {
    request(request) {
      const send = request.method === 'eth_chainId' ? requestAlone : requestBatched
      return send(request as Parameters<typeof send>[0])
    },
  }
  return { withLink: (work) => work(link), stop() {} }
}

export declare namespace createHttpEndpoint {
  type Options = {
    readonly url: string
    /** The time limit of a response, including its body. */
    readonly timeoutMs: number
    readonly fetch: typeof globalThis.fetch
  }
}

// The body of a response with one of these statuses describes a load balancer, not the request.
const opaqueStatuses = new Set([429, 502, 503, 504])

const json = { 'content-type': 'application/json' }

/**
 * Wraps a `fetch` so that it reads each response to its end, which makes viem's time limit cover the body. It also
 * checks that the response answers the request.
 *
 * If a response limits the rate or reports an outage, its body is dropped. Otherwise viem would use an error in the
 * body and ignore the status.
 */
function bufferResponse(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    const { status } = response
    if (opaqueStatuses.has(status)) return new Response('', { status })
    const received = status < 400 ? (JSON.parse(text) as unknown) : tryParse(text)
    if (status >= 400 && !isError(received)) return new Response(text, { status, headers: json })
    const sent = JSON.parse(init?.body as string) as Identified | readonly Identified[]
    const matched = matchAll(sent, received)
    return new Response(matched === received ? text : JSON.stringify(matched), { headers: json })
  }
}

function matchAll(sent: Identified | readonly Identified[], received: unknown): unknown {
  if (isBatch(sent)) return matchResponses(sent, received)
  return matchResponses([sent], isError(received) ? received : [received])[0]
}

function isBatch(sent: Identified | readonly Identified[]): sent is readonly Identified[] {
  return Array.isArray(sent)
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether a response is a JSON-RPC error, which may answer a whole batch. */
function isError(received: unknown): boolean {
  const { error } = { ...(received as { readonly error?: { readonly code?: unknown } } | null) }
  return typeof error?.code === 'number'
}

/**
 * Asserts that a node's responses match the requests of a batch: one response for each request, and no other response.
 * viem sorts responses by id and then assigns them by position. If a response is missing, repeated or foreign, viem
 * would assign a response to the wrong request.
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
