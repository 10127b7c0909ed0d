import { createConnection, type Connection } from './createConnection.ts'
import type { Endpoint } from './NodeLink.ts'

/**
 * Connects to a node over one WebSocket. It is opened when it is first needed, and reopened when it is needed after it
 * has ended.
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
