import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { answerUnread, type Fetch, type Refuse } from './answerUnread.ts'
import { countHeaders, createCallListener, type Answer } from './createCallListener.ts'
import { createTurnQueue, queueFetch } from './createTurnQueue.ts'
import { isNormalTarget } from './isNormalTarget.ts'
import { trackConnections } from './trackConnections.ts'

// Load balancers reuse connections for a minute. If the service closed one first, the next request on it would fail.
const keepAliveMs = 65_000

const invalidTarget = 'its target or its header Host is not valid'

/**
 * Creates a Node server that limits its clients: their connections, their waiting requests, and their time to send a request or
 * to read a response.
 */
export function createHttpServer({ fetch, answer, refuse, hostname, ...options }: createHttpServer.Options): Server {
  const { limits } = options
  const { clientTimeoutMs } = limits
  const checkIntervalMs = Math.min(1000, Math.ceil(clientTimeoutMs / 4))
  const server = createServer({
    connectionsCheckingInterval: checkIntervalMs,
    headersTimeout: clientTimeoutMs,
    // A body that arrives too slowly is refused by its reader. This ends the connections of bodies that have no reader.
    requestTimeout: Math.ceil(clientTimeoutMs * 1.4),
    keepAliveTimeout: keepAliveMs,
    // Refused below, in the envelope.
    requireHostHeader: false,
  })
  const connections = trackConnections(server, options)
  // One interval for all connections. A time-out of Node's sockets would cost a timer for each request.
  const sweep = setInterval(() => connections.closeStalled(Math.ceil(clientTimeoutMs * 1.5)), checkIntervalMs).unref()
  server.once('close', () => clearInterval(sweep))
  const unread = answerUnread(server, { refuse, connections })
  const addTask = createTurnQueue()
  const answerCall = answer && createCallListener(answer, addTask)
  const fetchQueued = queueFetch(fetch, addTask)
  let unreadable: RequestError | undefined
  const listener = getRequestListener(
    (request, { incoming }) => {
      const { socket } = incoming as IncomingMessage
      return fetchQueued(request, socket.remoteAddress ?? '', connections.find(socket))
    },
    {
      hostname,
      // Called before the listener returns if the request has no valid URL.
      errorHandler(error) {
        if (!(error instanceof RequestError)) return new Response(null, { status: 500 })
        unreadable = error
        return undefined
      },
    },
  )
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const connection = connections.admit(incoming, outgoing)
    if (!connection) return
    const hostError = findHostError(incoming, options.isHostAllowed)
    if (hostError !== undefined) return unread(incoming, outgoing, hostError)
    if (answerCall?.(incoming, outgoing, connection) === true) return
    if (!isNormalTarget(incoming.url ?? '')) return unread(incoming, outgoing, invalidTarget)
    unreadable = undefined
    void listener(incoming, outgoing)
    if (unreadable) unread(incoming, outgoing, invalidTarget)
  })
  return server
}

export declare namespace createHttpServer {
  type Options = {
    readonly fetch: Fetch
    /** Answers calls of the API. Default: `fetch` answers them. */
    readonly answer?: Answer
    readonly refuse: Refuse
    /** The host of HTTP/1.0 requests without a header `Host`. */
    readonly hostname: string
    /** Whether requests may name a host, with its port. Default: any host. */
    readonly isHostAllowed?: ((host: string) => boolean) | undefined
    readonly limits: Limits
    readonly observeClosed?: trackConnections.Options['observeClosed']
    readonly observeOpen?: trackConnections.Options['observeOpen']
  }
  type Limits = trackConnections.Limits & {
    /** How long a client may take to send the headers of a request, or to read more of a response. */
    readonly clientTimeoutMs: number
  }
}

/** Returns what is wrong with the headers `Host` of a request. Node keeps only the first of several. */
function findHostError(incoming: IncomingMessage, isHostAllowed: createHttpServer.Options['isHostAllowed']) {
  const { host } = incoming.headers
  if (host === undefined) return incoming.httpVersion === '1.1' ? 'the header Host is missing' : undefined
  if (countHeaders(incoming, 'host') > 1) return 'it has several headers Host'
  return isHostAllowed?.(host) === false ? 'its header Host names another machine' : undefined
}
