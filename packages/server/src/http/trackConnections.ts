import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { resolveAddress, type ClientConnection } from '@agio/api'

// Clients with pipelining send fewer requests at a time.
const maxWaitingRequests = 16

// A newcomer needs time to send its first request with a key.
const newcomersShare = 0.1

/**
 * Limits the connections of a server and the waiting requests of each connection. At the limit, a new connection replaces the idle
 * one whose client has been silent longest. While more than a tenth of the connections have not sent a valid key, it replaces one
 * of these first. If no connection is idle, the new connection is closed.
 */
export function trackConnections(
  server: Server,
  { limits, observeClosed = () => {}, observeOpen = () => {} }: trackConnections.Options,
) {
  const connections = new Map<Socket, Connection>()
  const byAddress = new Map<string, Set<Connection>>()

  function add(connection: Connection): void {
    const { socket, address } = connection
    const peers = byAddress.get(address) ?? new Set()
    byAddress.set(address, peers.add(connection))
    connections.set(socket, connection)
    observeOpen(1)
    socket.once('close', () => remove(connection))
  }
  function remove(connection: Connection): void {
    if (connections.delete(connection.socket)) observeOpen(-1)
    const peers = byAddress.get(connection.address)
    peers?.delete(connection)
    if (peers?.size === 0) byAddress.delete(connection.address)
  }
  function isAdmitted(address: string): boolean {
    const peers = byAddress.get(address)
    if (peers && peers.size >= limits.maxPerAddress) return evict(peers)
    return connections.size < limits.max || evict(connections.values())
  }
  function evict(candidates: Iterable<Connection>): boolean {
    const evicted = findEvictable(candidates)
    if (!evicted) return false
    remove(evicted)
    close(evicted.socket, evicted.isAuthenticated ? 'idle' : 'idle-without-key')
    return true
  }
  function close(socket: Socket, reason: ClosedReason): void {
    socket.destroy()
    observeClosed(reason)
  }
  server.on('connection', (socket) => {
    const address = resolveAddress(new Headers(), socket.remoteAddress ?? '', 0)
    if (isAdmitted(address)) add(createConnection(socket, address))
    else close(socket, 'all-busy')
  })
  // A finished response is not kept: it would keep its request, and all objects of both, until the connection's next request.
  function release(this: ServerResponse): void {
    const waiting = connections.get(this.req.socket)?.waiting
    const at = waiting?.indexOf(this) ?? -1
    if (at !== -1) waiting?.splice(at, 1)
  }
  return {
    /** Adds a request to its connection, and returns the connection; undefined if it is closed or has too many requests. */
    admit({ socket }: IncomingMessage, response: ServerResponse): ClientConnection | undefined {
      const connection = connections.get(socket)
      if (!connection) return undefined
      connection.activeAtMs = performance.now()
      response.on('finish', release)
      if (connection.waiting.push(response) <= maxWaitingRequests) return connection
      close(socket, 'pipelining')
      return undefined
    },
    /** Returns the connection of a socket; undefined if it is closed. */
    find: (socket: Socket) => connections.get(socket),
    /** Returns the responses of a connection that are not sent yet, in the order of their requests. */
    listWaiting: (socket: Socket) => connections.get(socket)?.waiting.filter(isWaiting) ?? [],
    /** Closes the connections whose clients have read no part of a response for longer than the time-out. */
    closeStalled(timeoutMs: number): void {
      for (const connection of connections.values())
        if (isStalled(connection, timeoutMs)) close(connection.socket, 'unread-response')
    },
  }
}

export declare namespace trackConnections {
  type Options = {
    readonly limits: Limits
    /** Called when the service closes a connection because of a limit. */
    readonly observeClosed?: ((reason: ClosedReason) => void) | undefined
    /** Called with the change of the number of open connections. */
    readonly observeOpen?: ((change: 1 | -1) => void) | undefined
  }
  type Limits = {
    /** The largest number of connections. */
    readonly max: number
    /** The largest number of connections from one address; `Infinity` if a proxy opens them. */
    readonly maxPerAddress: number
  }
}

/**
 * The reasons why the service closes connections. A new connection replaces a connection that is `idle-without-key` or `idle`,
 * and is closed itself while `all-busy`.
 */
export const closedReasons = ['idle-without-key', 'idle', 'all-busy', 'pipelining', 'unread-response'] as const

/** A reason why the service closes a connection. */
type ClosedReason = (typeof closedReasons)[number]

/** The open connections of a server, with their unanswered requests. */
export type Connections = ReturnType<typeof trackConnections>

type Connection = ClientConnection & {
  readonly socket: Socket
  readonly address: string
  /** The responses that are not sent yet, in the order of their requests. */
  readonly waiting: ServerResponse[]
  /** When the connection was opened or had its last request, in milliseconds of the monotonic clock. */
  activeAtMs: number
  /** The number of sent bytes at the last check. `sentAtMs` is when it last changed, or when no bytes waited for the client. */
  sentBytes: number
  sentAtMs: number
}

function createConnection(socket: Socket, address: string): Connection {
  const nowMs = performance.now()
  const state = { isAuthenticated: false, isStreaming: false, activeAtMs: nowMs, sentBytes: 0, sentAtMs: nowMs }
  return { socket, address, waiting: [], ...state }
}

function isWaiting({ writableFinished, destroyed }: ServerResponse): boolean {
  return !writableFinished && !destroyed
}

/** Returns whether the client has sent a request completely and the service still works on it. */
export function isServing({ headersSent, req }: ServerResponse): boolean {
  return !headersSent && req.complete
}

/** Returns whether a response waits, and the client has read no part of it for at least the time-out. */
function isStalled(connection: Connection, timeoutMs: number): boolean {
  const nowMs = performance.now()
  if (isUnread(connection)) return nowMs - connection.sentAtMs >= timeoutMs
  connection.sentBytes = connection.socket.bytesWritten
  connection.sentAtMs = nowMs
  return false
}

/** Returns whether a response waits, and the client has read no part of it since the last check. */
function isUnread({ socket, sentBytes }: Connection): boolean {
  return socket.writableLength > 0 && socket.bytesWritten === sentBytes
}

/** Returns the connection to evict; undefined if none is idle. */
function findEvictable(candidates: Iterable<Connection>): Connection | undefined {
  const all = [...candidates]
  const withoutKey = all.filter(({ isAuthenticated }) => !isAuthenticated)
  const isShareExceeded = withoutKey.length > Math.ceil(all.length * newcomersShare)
  return (isShareExceeded ? findLongestSilent(withoutKey) : undefined) ?? findLongestSilent(all)
}

/** Returns the idle connection whose client has been silent for the longest; undefined if none is idle. */
function findLongestSilent(candidates: readonly Connection[]): Connection | undefined {
  let found: Connection | undefined
  for (const connection of candidates) {
    if ((!found || connection.activeAtMs < found.activeAtMs) && isIdle(connection)) found = connection
  }
  return found
}

/** Returns whether the service neither works on a request of the connection nor delivers a stream to a client that reads it. */
function isIdle(connection: Connection): boolean {
  const waiting = connection.waiting.filter(isWaiting)
  const isDelivering =
    connection.isStreaming && connection.isAuthenticated && waiting.length > 0 && !isUnread(connection)
  return !isDelivering && !waiting.some(isServing)
}
