import type { Socket } from 'node:net'
import { Agent, buildConnector, WebSocket as UndiciWebSocket } from 'undici'

/**
 * Opens WebSockets on Node that can be broken off: closing one waits for the other end, and for as long as one that is gone
 * says nothing the process would go on.
 */
export function createSocketOpener() {
  const sockets = new Set<Socket>()
  // A WebSocket begins with an upgrade, which HTTP/2 has not.
  const connect = buildConnector({ allowH2: false })
  const dispatcher = new Agent({
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
    /** Breaks off whatever is still open. */
    async breakOff(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await dispatcher.destroy()
    },
  }
}
