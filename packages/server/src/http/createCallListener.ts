import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { countCalls, maxBodyBytes, type ClientConnection, type HttpReply, type HttpRequest } from '@agio/api'
import type { TurnQueue } from './createTurnQueue.ts'

/**
 * Creates a listener that answers plain API calls directly from Node's parsed request, without a `Request` and a `Response`.
 *
 * @returns a function that returns true if it answers the request. For any other request, it does nothing and returns false
 */
export function createCallListener(
  answer: Answer,
  addTask: TurnQueue,
): (incoming: IncomingMessage, outgoing: ServerResponse, connection: ClientConnection) => boolean {
  return (incoming, outgoing, connection) => {
    if (!isPlainCall(incoming)) return false
    const request = new CallRequest(incoming, outgoing)
    const address = incoming.socket.remoteAddress ?? ''
    addTask(() => {
      answer(request, address, connection)
        .then((reply) => send(outgoing, reply))
        .catch(() => outgoing.destroy())
    }, countCalls(request.url))
    return true
  }
}

/** Returns the reply to a call of the API. `address` is the remote address of its connection. */
export type Answer = (request: HttpRequest, address: string, connection?: ClientConnection) => Promise<HttpReply>

// Any other target or host may need the normalization of URLs.
const plainTarget = /^\/(?:api\/v1|trpc)\/\w[\w,/-]*(?:\.\w[\w,/-]*)*(?:\?[\w!$%&'()*+,./:;=@~-]*)?$/
const plainHost = /^[a-z0-9._-]+(?::[1-5]?\d{2,4})?$/

function isPlainCall(incoming: IncomingMessage): boolean {
  const { method, url = '', headers, httpVersion } = incoming
  if (method !== 'POST' && method !== 'GET') return false
  if (httpVersion !== '1.1' || !plainTarget.test(url) || !plainHost.test(headers.host ?? '')) return false
  if (headers.origin !== undefined || headers['transfer-encoding'] !== undefined) return false
  // Node keeps only the first of several.
  if (countHeaders(incoming, 'content-type') > 1) return false
  const length = headers['content-length']
  return method === 'GET' ? length === undefined : length !== undefined && Number(length) <= maxBodyBytes
}

/** Returns how often a request has a header. */
export function countHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at] ?? ''
    if (found.length === name.length && found.toLowerCase() === name) count += 1
  }
  return count
}

/** A request as Node has parsed it. */
class CallRequest implements HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: CallHeaders
  readonly body = null
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  #signal: AbortSignal | undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? ''
    this.url = incoming.url ?? ''
    this.headers = new CallHeaders(incoming)
    this.#incoming = incoming
    this.#outgoing = outgoing
  }
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal
    const closing = new AbortController()
    if (this.#outgoing.destroyed) closing.abort()
    else this.#outgoing.once('close', () => closing.abort())
    return (this.#signal = closing.signal)
  }
  text(): string | Promise<string> {
    const incoming = this.#incoming
    const length = Number(incoming.headers['content-length'] ?? 0)
    if (length === 0) return ''
    if (incoming.readableLength < length) return buffer(incoming).then(decode)
    // Nearly every body arrives with its headers, and needs no listeners.
    return decode(incoming.read() as Buffer)
  }
}

/** The headers that Node has parsed. */
class CallHeaders implements Iterable<[string, string]> {
  readonly #incoming: IncomingMessage
  readonly #headers: IncomingMessage['headers']

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
    this.#headers = incoming.headers
  }
  get(name: string): string | null {
    return this.#headers[name]?.toString() ?? null
  }
  has(name: string): boolean {
    return this.#headers[name] !== undefined
  }
  *[Symbol.iterator](): Iterator<[string, string]> {
    const { rawHeaders } = this.#incoming
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) yield [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']
  }
}

/** Decodes UTF-8 as `Request` does: without the byte order mark, and with U+FFFD for malformed bytes. */
function decode(bytes: Buffer): string {
  const text = bytes.toString()
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

async function send(outgoing: ServerResponse, { status, headers, body }: HttpReply): Promise<void> {
  if (body !== null && typeof body !== 'string') {
    outgoing.writeHead(status, headers).flushHeaders()
    return await pipeline(Readable.fromWeb(body), outgoing)
  }
  const text = body ?? ''
  const length = Buffer.byteLength(text)
  // Node writes ASCII, which nearly every body is, in half the time as latin1.
  outgoing
    .writeHead(status, { ...headers, 'content-length': length })
    .end(text, length === text.length ? 'latin1' : 'utf8')
}
