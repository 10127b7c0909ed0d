import { Async, isObject } from '@agio/core'
import { HttpRequestError, TimeoutError } from 'viem'
import { maxResponseBytes, OversizedError } from './answerBounds.ts'
import type { Endpoint, NodeLink, RpcRequest } from './NodeLink.ts'
import { createResponseReader, type ResponseReader } from './readResponse.ts'
import { toRpcError } from './toRpcError.ts'

// Nodes commonly accept this many requests in a batch.
const maxBatchSize = 1000

/**
 * Connects to a node over HTTP. Requests of the same tick form one JSON-RPC batch, except `eth_chainId`. Every other
 * request waits for the response of `eth_chainId`, which must not wait for the slowest request of a batch.
 */
export function createHttpEndpoint(options: createHttpEndpoint.Options): Endpoint {
  const exchange = createExchange(options)
  const requestBatched = Async.createBatch(async (batch: readonly RpcRequest[]) => {
    const sent = batch.map((request) => exchange.toCall(request))
    const responses = matchResponses(sent, await exchange.post(sent, batch))
    const byId = new Map(responses.map((response) => [response.id, response]))
    return batch.map((request, index) => toResult(byId.get(sent[index]?.id), request, options.url))
  }, maxBatchSize)
  async function requestAlone(request: RpcRequest): Promise<unknown> {
    const call = exchange.toCall(request)
    const received = await exchange.post(call, [request])
    const [response] = matchResponses([call], isError(received) ? received : [received])
    const result = toResult(response, request, options.url)
    if ('error' in result) throw result.error
    return result.value
  }
  const link: NodeLink = {
    request: (request) => (request.method === 'eth_chainId' ? requestAlone(request) : requestBatched(request)),
  }
  return { withLink: (work) => work(link), stop() {} }
}

export declare namespace createHttpEndpoint {
  type Options = {
    readonly url: string
    /** The time limit of a response, including its body. A standstill of this process does not count. */
    readonly timeoutMs: number
    readonly fetch: typeof globalThis.fetch
  }
}

function toResult(response: Identified | undefined, request: RpcRequest, url: string): Async.BatchResult<unknown> {
  if (!response) throw unmatched()
  const { error, result } = response
  return error === undefined || error === null ? { value: result } : { error: toRpcError(error, { request, url }) }
}

/** Sends JSON-RPC calls to a node, and returns what it responds. */
type Exchange = {
  toCall(request: RpcRequest): Identified
  /**
   * Returns the parsed response to a call or a batch of calls.
   *
   * @throws viem's `TimeoutError` and `HttpRequestError`, and `OversizedError`
   */
  post(sent: Identified | readonly Identified[], batch: readonly RpcRequest[]): Promise<unknown>
}

function createExchange({ url, timeoutMs, fetch }: createHttpEndpoint.Options): Exchange {
  const readText = createResponseReader()
  const target = toTarget(url)
  let lastId = 0
  return {
    toCall: ({ method, params }) => ({ jsonrpc: '2.0', id: ++lastId, method, params }),
    async post(sent, batch) {
      const controller = new AbortController()
      const cancel = Async.startTimeLimit(timeoutMs, () => controller.abort())
      // A redirect could lead to an address of the operator's own network.
      const init = {
        method: 'POST',
        headers: target.headers,
        body: JSON.stringify(sent),
        redirect: 'manual',
        signal: controller.signal,
      } as const
      const body = { method: batch.map(({ method }) => method).join(', ') }
      try {
        return await readReceived(await fetch(target.url, init), {
          url,
          body,
          readText,
          maxBytes: maxResponseBytes(batch),
        })
      } catch (error) {
        if (controller.signal.aborted) throw new TimeoutError({ body, url })
        if (error instanceof HttpRequestError || error instanceof OversizedError) throw error
        throw new HttpRequestError({ body, cause: error as Error, url })
      } finally {
        cancel()
      }
    },
  }
}

/** Returns the URL without its credentials, which `fetch` does not take, and the headers with them. */
function toTarget(given: string): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(given)
  const { username, password } = url
  if (!username) return { url: given, headers: json }
  ;[url.username, url.password] = ['', '']
  const credentials = btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { url: url.href, headers: { ...json, authorization: `Basic ${credentials}` } }
}

// The body of a response with one of these statuses describes a load balancer, not the request.
const opaqueStatuses = new Set([429, 502, 503, 504])

const json = { 'content-type': 'application/json' }

type Reading = {
  readonly url: string
  readonly body: { readonly method: string }
  readonly readText: ResponseReader
  readonly maxBytes: number
}

/**
 * Reads a response to its end. If it limits the rate, reports an outage or redirects, its body is dropped, since an error
 * in the body would hide the status.
 */
async function readReceived(response: Response, { url, body, readText, maxBytes }: Reading): Promise<unknown> {
  const { status } = response
  const toError = () => new HttpRequestError({ body, status, url, details: response.statusText })
  const isRedirect = status >= 300 && status < 400
  if (isRedirect || opaqueStatuses.has(status)) {
    response.body?.cancel().catch(() => {})
    throw toError()
  }
  const text = await readText(response, maxBytes)
  if (status < 400) return JSON.parse(text) as unknown
  const received = tryParse(text)
  if (!isError(received)) throw toError()
  return received
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
  const error = isObject(received) ? received['error'] : undefined
  return isObject(error) && typeof error['code'] === 'number'
}

/**
 * Asserts that a node's responses match the requests of a batch: one response for each request, and no other response.
 * A missing, repeated or foreign response shows that the node has confused its responses.
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
