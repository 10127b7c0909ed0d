import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { resolveAddress } from '@agio/api'

// Clients that pipeline send fewer.
const maxWaitingRequests = 16

/**
 * Bounds the connections of a server and the requests that wait on each. A connection above the limits takes the place of the
 * one whose client has been silent for the longest; it is closed if all others wait for the service.
 */
export function trackConnections(server: Server, limits: trackConnections.Limits): Connections {
  const all = new Map<Socket, Connection>()
  const byAddress = new Map<string, Set<Connection>>()

  function add(connection: Connection): void {
    const { socket, address } = connection
    const peers = byAddress.get(address) ?? new Set()
    byAddress.set(address, peers.add(connection))
    all.set(socket, connection)
    socket.once('close', () => remove(connection))
  }
  function remove(connection: Connection): void {
    all.delete(connection.socket)
    const peers = byAddress.get(connection.address)
    peers?.delete(connection)
    if (peers?.size === 0) byAddress.delete(connection.address)
  }
  function isAdmitted(address: string): boolean {
    const peers = byAddress.get(address)
    if (peers && peers.size >= limits.maxPerAddress) return evict(peers)
    return all.size < limits.max || evict(all.values())
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
    if (isAdmitted(address)) add({ socket, address, waiting: [], activeAtMs: performance.now() })
    else socket.destroy()
  })
  return {
    admit({ socket }, response) {
      const connection = all.get(socket)
      if (!connection) return false
      connection.activeAtMs = performance.now()
      connection.waiting = connection.waiting.filter(isWaiting)
      if (connection.waiting.push(response) <= maxWaitingRequests) return true
      socket.destroy()
      return false
    },
    listWaiting: (socket) => all.get(socket)?.waiting.filter(isWaiting) ?? [],
    isIdle(socket) {
      const { waiting = [] } = all.get(socket) ?? {}
      return waiting.length > 0 && !waiting.some(isWaiting)
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

export type Connections = {
  /** Adds a request to those that wait on its connection; false if the connection is closed or has too many. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Returns the responses of a connection that are not sent yet, in the order of their requests. */
  listWaiting(socket: Socket): readonly ServerResponse[]
  /** Whether all requests of a connection are answered, and it had one. */
  isIdle(socket: Socket): boolean
}

type Connection = {
  readonly socket: Socket
  readonly address: string
  /** The responses that were not sent at the last request. */
  waiting: ServerResponse[]
  /** When it was opened or had its last request, in milliseconds of the monotonic clock. */
  activeAtMs: number
}

function isWaiting({ writableFinished, destroyed }: ServerResponse): boolean {
  return !writableFinished && !destroyed
}

/** Whether the service works on a request, which the client has sent completely. */
export function isServing({ headersSent, req }: ServerResponse): boolean {
  return !headersSent && req.complete
}

function findLongestSilent(candidates: Iterable<Connection>): Connection | undefined {
  let longest: Connection | undefined
  for (const connection of candidates) {
    if (longest && connection.activeAtMs >= longest.activeAtMs) continue
    if (!connection.waiting.some((response) => isWaiting(response) && isServing(response))) longest = connection
  }
  return longest
}
