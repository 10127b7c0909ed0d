import { Async, isObject } from '@agio/core'
import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { createJsonCheck, maxResponseBytes, OversizedError } from './answerBounds.ts'
import type { Endpoint, NodeLink, ObserveRequest, RpcRequest } from './NodeLink.ts'
import { toRpcError } from './toRpcError.ts'

// Nodes commonly accept this many requests in a batch.
const maxBatchSize = 1000

/**
 * Connects to a node over HTTP. Requests of the same tick form one JSON-RPC batch, except `eth_chainId`. Every other
 * request waits for the response of `eth_chainId`, which must not wait for the slowest request of a batch.
 *
 * A batch that the node refuses as a whole is sent again in halves. The size that the node takes counts for ten minutes.
 */
export function createHttpEndpoint(options: createHttpEndpoint.Options): Endpoint {
  const exchange = createExchange(options)
  let limit = { size: Infinity, atMs: -Infinity }

  async function sendPart(batch: readonly RpcRequest[]): Promise<readonly Async.BatchResult<unknown>[]> {
    const sent = await exchange.send(batch)
    if ('results' in sent) return sent.results
    const size = Math.ceil(batch.length / 2)
    const first = await sendPart(batch.slice(0, size))
    // The size is not the reason if the node answers a lone request in the same way.
    if (first.every((result) => 'error' in result && isSame(result.error, sent.refusal))) {
      return batch.map(() => ({ error: sent.refusal }))
    }
    limit = { size: Math.min(size, findLimit()), atMs: performance.now() }
    return [...first, ...(await send(batch.slice(size)))]
  }
  const findLimit = () => (performance.now() - limit.atMs < limitValidMs ? limit.size : Infinity)
  async function send(batch: readonly RpcRequest[]): Promise<readonly Async.BatchResult<unknown>[]> {
    const size = Math.min(findLimit(), batch.length)
    const parts = Array.from({ length: Math.ceil(batch.length / size) }, (_, index) => index * size)
    return (await Promise.all(parts.map((first) => sendPart(batch.slice(first, first + size))))).flat()
  }
  const requestBatched = Async.createBatch(send, maxBatchSize)
  async function requestAlone(request: RpcRequest): Promise<unknown> {
    const [result] = await sendPart([request])
    if (!result || 'error' in result) throw result?.error ?? unmatched()
    return result.value
  }
  const request = (request: RpcRequest) =>
    request.method === 'eth_chainId' ? requestAlone(request) : requestBatched(request)
  const { observe } = options
  const link: NodeLink = { request: observe ? (sent) => observe(sent, () => request(sent)) : request }
  return { withLink: (work) => work(link), stop() {} }
}

function isSame(error: Error, other: Error): boolean {
  return error instanceof RpcRequestError && other instanceof RpcRequestError && error.details === other.details
}

// The operator of a node may raise its limit.
const limitValidMs = 600_000

export declare namespace createHttpEndpoint {
  type Options = {
    readonly url: string
    /** The time limit of a response, including its body. A standstill of this process does not count. */
    readonly timeoutMs: number
    readonly fetch: typeof globalThis.fetch
    readonly observe?: ObserveRequest | undefined
  }
}

function toResult(response: Identified | undefined, request: RpcRequest, url: string): Async.BatchResult<unknown> {
  if (!response) throw unmatched()
  const { error, result } = response
  return error === undefined || error === null ? { value: result } : { error: toRpcError(error, { request, url }) }
}

function createExchange({ url, timeoutMs, fetch }: createHttpEndpoint.Options) {
  const readText = createResponseReader()
  const target = toTarget(url)
  let lastId = 0

  async function post(sent: readonly Identified[], batch: readonly RpcRequest[]): Promise<unknown> {
    const controller = new AbortController()
    const cancel = Async.startTimeLimit(timeoutMs, () => controller.abort())
    // A redirect could lead to an address of the operator's own network.
    const init = {
      method: 'POST',
      headers: target.headers,
      body: JSON.stringify(sent.length === 1 ? sent[0] : sent),
      redirect: 'manual',
      signal: controller.signal,
    } as const
    const body = { method: batch.map(({ method }) => method).join(', ') }
    try {
      const response = await fetch(target.url, init)
      const { status, statusText: details } = response
      const toError = () => new HttpRequestError({ body, status, url, details })
      return await readReceived(response, toError, () => readText(response, maxResponseBytes(batch)))
    } catch (error) {
      if (controller.signal.aborted) throw new TimeoutError({ body, url })
      if (error instanceof HttpRequestError || error instanceof OversizedError) throw error
      throw new HttpRequestError({ body, cause: error as Error, url })
    } finally {
      cancel()
    }
  }
  return {
    /**
     * Returns the result of each request, or the error with which the node refuses several requests as a whole.
     *
     * @throws viem's `TimeoutError` and `HttpRequestError`, and `OversizedError`
     */
    async send(
      batch: readonly RpcRequest[],
    ): Promise<{ readonly results: readonly Async.BatchResult<unknown>[] } | { readonly refusal: Error }> {
      const sent = batch.map(({ method, params }) => ({ jsonrpc: '2.0', id: ++lastId, method, params }))
      const isLone = batch.length === 1
      const received = await post(sent, batch).catch((error: unknown) => {
        const isRefusal = error instanceof HttpRequestError && refusalStatuses.has(error.status ?? 0)
        if (isRefusal && !isLone) return error
        throw error
      })
      if (received instanceof Error) return { refusal: received }
      if (!isLone && isError(received))
        return { refusal: toRpcError(received['error'], { request: batchRequest, url }) }
      const responses = matchResponses(sent, isLone && !isError(received) ? [received] : received)
      const byId = new Map(responses.map((response) => [response.id, response]))
      return { results: batch.map((request, index) => toResult(byId.get(sent[index]?.id), request, url)) }
    },
  }
}

// The body of an error of a whole batch, of any size.
const batchRequest = { method: 'batch' }

// The statuses with which nodes refuse a batch that is too large for them, if the body says nothing.
const refusalStatuses = new Set([413, 500])

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

/**
 * Reads a response to its end. If it limits the rate, reports an outage or redirects, its body is dropped, since an error
 * in the body would hide the status.
 */
async function readReceived(
  response: Response,
  toError: () => Error,
  readText: () => Promise<string>,
): Promise<unknown> {
  const { status } = response
  const isRedirect = status >= 300 && status < 400
  if (isRedirect || opaqueStatuses.has(status)) {
    response.body?.cancel().catch(() => {})
    throw toError()
  }
  const text = await readText()
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
function isError(received: unknown): received is Identified {
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

/**
 * Creates a reader of the responses of one node. It counts bytes after decompression, while it reads them: a compressed
 * body of a few kilobytes can contain gigabytes. A response beyond a bound ends its connection.
 *
 * The unfinished responses of the node have the same bound together, because a node could send many of them at once.
 */
function createResponseReader(): ResponseReader {
  let unfinishedBytes = 0

  async function* readChunks(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number) {
    const check = createJsonCheck(maxBytes)
    let bytes = 0
    try {
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
        if (!value) continue
        bytes += value.byteLength
        unfinishedBytes += value.byteLength
        if (unfinishedBytes > maxBytes) throw new OversizedError(`more than ${maxBytes} bytes at once`)
        check.add(value)
        yield value
      }
    } finally {
      unfinishedBytes -= bytes
    }
  }
  return async (response, maxBytes) => {
    const reader = response.body?.getReader()
    if (!reader) return ''
    try {
      // The text is decoded at once, because a text that is decoded in parts takes twice the memory.
      return new TextDecoder().decode(concatenate(await Array.fromAsync(readChunks(reader, maxBytes))))
    } catch (error) {
      reader.cancel().catch(() => {})
      throw error
    }
  }
}

/** Reads the text of a response. @throws `OversizedError` beyond a bound, and the error of the connection */
type ResponseReader = (response: Response, maxBytes: number) => Promise<string>

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const whole = new Uint8Array(chunks.reduce((bytes, { byteLength }) => bytes + byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
