import { Errors } from '@agio/core'
import { AdmissionError, type Caller } from '../admission/Caller.ts'
import type { Admit } from '../admission/createAdmit.ts'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { toInputError } from '../errors/toInputError.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { StreamItem } from '../stream/Streams.ts'
import { openTopics } from '../stream/topics/openTopics.ts'
import { watchInput } from '../stream/topics/watch.ts'
import { formatAllow } from './allowedMethods.ts'
import type { OpenCallerStreams, CreateContext } from './createContexts.ts'
import { parseUniqueJson } from './parsePlainRequest.ts'
import type { HttpResult } from '../http/HttpReply.ts'
import { respond, respondWithError } from '../http/respond.ts'

/** The path of the stream. */
export const streamPath = '/api/v1/stream'

/** The name of the operation, over tRPC and in usage. */
export const streamOperation = 'stream.watch'

/** The headers of a stream. `x-accel-buffering` keeps nginx from holding events back. */
export const eventHeaders = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

const allow = formatAllow(['GET'])

/** Creates the handler of `GET /api/v1/stream`: the events of topics, as Server-Sent Events. */
export function createStreamEdge({
  chains,
  admit,
  createContext,
  openCallerStreams,
}: Dependencies): (exchange: HttpExchange) => Promise<HttpResult> {
  return async (exchange) => {
    const { request, requestId } = exchange
    let caller: Caller | undefined
    let input: object | undefined
    try {
      caller = await admit(exchange, [streamOperation])
      if (request.method !== 'GET') throw Errors.methodNotAllowed({ path: streamPath, method: request.method, allow })
      input = toInput(exchange)
      const { topics, lastEventId } = parseInput(input, chains)
      const { keyId, rateLimit, keyExpiresAt } = caller
      const context = createContext(exchange, caller, openCallerStreams(exchange, caller))
      const closing = new AbortController()
      const signal = AbortSignal.any([request.signal, closing.signal])
      const items = await openTopics(context, { topics, lastEventId, signal })
      const body = toBody(items, () => closing.abort())
      const response = respond({ requestId, rateLimit, keyExpiresAt }, { body, headers: eventHeaders })
      return { response, isStream: true, operation: streamOperation, keyId, input }
    } catch (thrown) {
      const isRefused = thrown instanceof AdmissionError
      const { keyId, rateLimit, keyExpiresAt } = (isRefused ? thrown.caller : caller) ?? {}
      const error = isRefused ? thrown.cause : thrown
      const headers = request.method === 'GET' ? {} : { allow }
      const response = respondWithError({ ...exchange, rateLimit, keyExpiresAt }, toErrorBody(error), headers)
      return { response, operation: streamOperation, keyId, error, input }
    }
  }
}

type Dependencies = Pick<AppSettings, 'chains'> & {
  readonly admit: Admit
  readonly createContext: CreateContext
  readonly openCallerStreams: OpenCallerStreams
}

function parseInput(input: object, chains: object) {
  const { data, error } = watchInput.safeParse(input)
  if (error) throw toInputError(error, input, chains)
  return data
}

/** Returns the topics of the query, which is JSON, and the id of the last event. */
function toInput({ request, query }: HttpExchange): object {
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) {
    if (name !== 'topics' && name !== 'lastEventId')
      throw Errors.invalidRequest({
        field: name,
        value: parameters.get(name),
        reason: 'unknown query parameter',
      })
  }
  const [text, ...repeated] = parameters.getAll('topics')
  if (repeated.length > 0)
    throw Errors.invalidRequest({ field: 'topics', value: repeated[0], reason: 'it is given more than once' })
  // Clients that cannot set the header, such as event-source-polyfill, send it in the query.
  const lastEventId = request.headers.get('last-event-id') ?? parameters.get('lastEventId') ?? ''
  return {
    ...(text !== undefined && { topics: parseTopics(text) }),
    ...(lastEventId !== '' && { lastEventId }),
  }
}

function parseTopics(text: string): unknown {
  const parsed = parseUniqueJson(text, 'topics')
  if (parsed) return parsed.value
  throw Errors.invalidRequest({ field: 'topics', value: text, reason: 'it is not JSON' })
}

// A random delay, so that the clients of a process that ends do not all reconnect at once.
const [minRetryMs, maxRetryMs] = [1000, 3000]

/** Returns the body of a stream. It takes the next event only when its reader has room for it. */
function toBody(items: AsyncGenerator<StreamItem, void, void>, close: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const retryMs = Math.round(minRetryMs + Math.random() * (maxRetryMs - minRetryMs))
  // In the block of the first event: some clients ignore a block without data.
  let text = `retry: ${retryMs}\n`
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (text === '') {
          const { value, done } = await items.next()
          if (done === true) return controller.close()
          text = format(value)
        }
        controller.enqueue(encoder.encode(text))
        text = ''
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

function format(item: StreamItem): string {
  if (item === 'heartbeat') return ': heartbeat\n\n'
  return `id: ${item.id}\nevent: ${item.topic}\ndata: ${JSON.stringify(item.data)}\n\n`
}
