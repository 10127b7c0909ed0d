import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { resolveAddress } from '@agio/api'

// Clients with pipelining send fewer requests at a time.
const maxWaitingRequests = 16

/**
 * Limits the connections of a server and the waiting requests of each connection. At the limit, a new connection replaces the
 * connection whose client has been silent longest. If all connections wait for the service, the new connection is closed.
 */
export function trackConnections(server: Server, limits: trackConnections.Limits): Connections {
  const connections = new Map<Socket, Connection>()
  const byAddress = new Map<string, Set<Connection>>()

  function add(connection: Connection): void {
    const { socket, address } = connection
    const peers = byAddress.get(address) ?? new Set()
    byAddress.set(address, peers.add(connection))
    connections.set(socket, connection)
    socket.once('close', () => remove(connection))
  }
  function remove(connection: Connection): void {
    connections.delete(connection.socket)
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
    const longest = findLongestSilent(candidates)
    if (!longest) return false
    remove(longest)
    longest.socket.destroy()
    return true
  }
  server.on('connection', (socket) => {
    const address = resolveAddress(new Headers(), socket.remoteAddress ?? '', 0)
    if (isAdmitted(address)) add(createConnection(socket, address))
    else socket.destroy()
  })
  // A finished response is not kept: it would keep its request, and all objects of both, until the connection's next request.
  function release(this: ServerResponse): void {
    const waiting = connections.get(this.req.socket)?.waiting
    const at = waiting?.indexOf(this) ?? -1
    if (at !== -1) waiting?.splice(at, 1)
  }
  return {
    admit({ socket }, response) {
      const connection = connections.get(socket)
      if (!connection) return false
      connection.activeAtMs = performance.now()
      response.on('finish', release)
      if (connection.waiting.push(response) <= maxWaitingRequests) return true
      socket.destroy()
      return false
    },
    listWaiting: (socket) => connections.get(socket)?.waiting.filter(isWaiting) ?? [],
    closeStalled(timeoutMs) {
      for (const connection of connections.values()) if (isStalled(connection, timeoutMs)) connection.socket.destroy()
    },
  }
}

export declare namespace trackConnections {
  type Limits = {
    /** The largest number of connections. */
    readonly max: number
    /** The largest number of connections from one address; `Infinity` if a proxy opens them. */
    readonly maxPerAddress: number
  }
}

/** The open connections of a server, with their unanswered requests. */
export type Connections = {
  /** Adds a request to the waiting requests of its connection; false if the connection is closed or has too many. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Returns the responses of a connection that are not sent yet, in the order of their requests. */
  listWaiting(socket: Socket): readonly ServerResponse[]
  /** Closes the connections whose clients have read no part of a response for longer than the time-out. */
  closeStalled(timeoutMs: number): void
}

type Connection = {
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
  return { socket, address, waiting: [], activeAtMs: nowMs, sentBytes: 0, sentAtMs: nowMs }
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
  const { writableLength, bytesWritten } = connection.socket
  const nowMs = performance.now()
  if (writableLength > 0 && bytesWritten === connection.sentBytes) return nowMs - connection.sentAtMs >= timeoutMs
  connection.sentBytes = bytesWritten
  connection.sentAtMs = nowMs
  return false
}

function findLongestSilent(candidates: Iterable<Connection>): Connection | undefined {
  let longest: Connection | undefined
  for (const connection of candidates) {
    if (longest && connection.activeAtMs >= longest.activeAtMs) continue
    if (!connection.waiting.some((response) => isWaiting(response) && isServing(response))) longest = connection
  }
  return longest
}
