import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

const accepted = 'net.server.socket'

/**
 * Tracks the connections to a port of this process, so that its server can close at once. Hardhat's server waits until
 * all clients disconnect, and a WebSocket client never does.
 */
export function trackSockets(port: number): trackSockets.Sockets {
  const sockets = new Set<Socket>()
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (socket.localPort !== port) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  subscribe(accepted, add)
  return {
    destroyAll() {
      unsubscribe(accepted, add)
      for (const socket of sockets) socket.destroy()
    },
  }
}

export declare namespace trackSockets {
  type Sockets = { destroyAll(): void }
}
