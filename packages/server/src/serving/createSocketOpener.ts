import type { Socket } from 'node:net'
import { maxMessageBytes } from '@agio/chain'
import { Agent, buildConnector, WebSocket as UndiciWebSocket } from 'undici'

/**
 * Creates an opener of WebSockets on Node. All its sockets can be destroyed at once.
 *
 * A normal close waits for the peer's closing handshake, so an unresponsive peer would keep the process alive.
 */
export function createSocketOpener() {
  const sockets = new Set<Socket>()
  // A WebSocket starts with an upgrade, which HTTP/2 does not have.
  const connect = buildConnector({ allowH2: false })
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: maxMessageBytes },
    connect(options, callback) {
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null)
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        callback(null, socket)
      })
    },
  })
  return {
    openSocket: (url: string): WebSocket => new UndiciWebSocket(url, { dispatcher }),
    /** Destroys all open sockets. */
    async destroyAll(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await dispatcher.destroy()
    },
  }
}
