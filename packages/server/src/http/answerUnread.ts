import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ClientConnection, UnreadRequest } from '@agio/api'
import { Errors, type ServiceError } from '@agio/core'
import { isServing, type Connections } from './trackConnections.ts'

// How long a connection stays open after the answer. If the client is still sending, closing the connection at once would
// discard the answer.
const lingerMs = 1000

/**
 * Answers the requests that Node's parser refuses. Their responses are like all error responses: they have the envelope and a
 * request id, and are logged and counted.
 *
 * @returns a function that answers a request that the parser accepted although its URL or its header `Host` is invalid
 */
export function answerUnread(server: Server, { refuse, connections }: Dependencies) {
  const closing = new WeakSet<Duplex>()

  async function answer(socket: Duplex, method: string | undefined, refused: Promise<Response>): Promise<void> {
    const text = await toMessage(method, await refused)
    setTimeout(() => socket.destroy(), lingerMs).unref()
    if (socket.writable) socket.end(text)
  }
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (closing.has(socket)) return
    const refusal = toRefusal(error)
    // Health checks of load balancers open connections without a request.
    if (!refusal || !socket.writable || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    closing.add(socket)
    const line = parseRequestLine(error.rawPacket)
    const refused = refuse(refusal, { ...line, address: socket.remoteAddress ?? '' })
    const waiting = connections.listWaiting(socket)
    // The client would read this answer as the answer to an earlier request.
    const isAmbiguous = waiting.some((response) => response.headersSent || isServing(response))
    if (isAmbiguous) closeAfter(waiting, socket)
    else void answer(socket, waiting.at(-1)?.req.method ?? line.method, refused)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    void answer(socket, incoming.method, refuse(Errors.tunnelNotAllowed(), toUnread(incoming)))
  })
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void send(outgoing, refuse(Errors.expectationFailed({ expect: incoming.headers.expect ?? '' }), toUnread(incoming)))
  })
  return (incoming: IncomingMessage, outgoing: ServerResponse, reason: string): void => {
    void send(outgoing, refuse(Errors.unreadableRequest({ part: 'request', reason }), toUnread(incoming)))
  }
}

type Dependencies = { readonly refuse: Refuse; readonly connections: Pick<Connections, 'listWaiting'> }

/** Returns the response to a request. `address` is the remote address of its connection. */
export type Fetch = (request: Request, address: string, connection?: ClientConnection) => Promise<Response>

/** Returns the response to a request that could not be read, and records it. */
export type Refuse = (error: ServiceError, request: UnreadRequest) => Promise<Response>

type ParserError = NodeJS.ErrnoException & { readonly reason?: string; readonly rawPacket?: Buffer }

/** Returns the error to answer; undefined if the client is gone. */
function toRefusal({ code = '', reason = 'it is not HTTP' }: ParserError): ServiceError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return Errors.requestTimeout({ part: 'request' })
  if (code === 'HPE_HEADER_OVERFLOW') return Errors.headersTooLarge()
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return Errors.payloadTooLarge({ action: 'read the request', reason: 'its chunk extensions are too large' })
  }
  return code.startsWith('HPE_') ? Errors.unreadableRequest({ part: 'request', reason }) : undefined
}

function closeAfter(waiting: readonly ServerResponse[], socket: Socket): void {
  socket.pause()
  waiting.at(-1)?.once('close', () => socket.destroySoon())
}

function toUnread({ method, url, headers, socket }: IncomingMessage): UnreadRequest {
  const path = url?.startsWith('/') ? url.split('?', 1)[0] : undefined
  return { address: socket.remoteAddress ?? '', method, path, requestId: headers['x-request-id']?.toString() }
}

/** Parses the method and the path in the bytes that Node read last. They are unknown if the request began before these. */
function parseRequestLine(bytes: Buffer | undefined): Pick<UnreadRequest, 'method' | 'path'> {
  const [, method, path] = /^\s*([A-Z]{1,16}) (\/[!-~]*)?/.exec(bytes?.toString('latin1', 0, 8192) ?? '') ?? []
  return { method, path: path?.split('?', 1)[0] }
}

/** Formats the response to a request. A response to HEAD has the length of its body, and no body. */
async function toMessage(method: string | undefined, response: Response): Promise<string> {
  const { head, body } = await toContent(response)
  const lines = Object.entries({ ...head, date: new Date().toUTCString() }).map((pair) => pair.join(': '))
  return `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : body}`
}

async function send(outgoing: ServerResponse, refused: Promise<Response>): Promise<void> {
  const response = await refused
  const { head, body } = await toContent(response)
  outgoing.writeHead(response.status, head).end(body)
}

async function toContent(response: Response) {
  const body = await response.text()
  const length = String(Buffer.byteLength(body))
  const allow = response.status === 405 ? { allow: 'GET, HEAD, POST, OPTIONS' } : {}
  const head = {
    ...Object.fromEntries(response.headers),
    ...allow,
    'content-length': length,
    connection: 'close',
  }
  return { head, body }
}
