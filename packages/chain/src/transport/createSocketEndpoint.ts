import { createConnection, type Connection } from './createConnection.ts'
import type { Endpoint } from './NodeLink.ts'

/**
 * Connects to a node over one WebSocket. The first use opens the connection. If the connection has ended, the next use
 * opens a new connection.
 */
export function createSocketEndpoint(options: createConnection.Options): Endpoint<Connection> {
  let current: Connection | undefined
  let uses = 0
  let stopped = false

  function connect(): Connection {
    if (!current?.isUsable()) current = createConnection(options)
    return current
  }
  function closeUnused(): void {
    if (stopped && uses === 0) current?.closeWhenIdle()
  }
  return {
    async withLink(work) {
      uses += 1
      try {
        return await work(connect())
      } finally {
        uses -= 1
        closeUnused()
      }
    },
    stop() {
      stopped = true
      closeUnused()
    },
  }
}
