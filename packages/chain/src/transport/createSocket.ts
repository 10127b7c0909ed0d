import { createConnection, type Connection } from './createConnection.ts'
import type { Endpoint } from './Link.ts'

/** Reaches a node over one WebSocket, which is opened when it is first needed, and anew when it is needed after it has ended. */
export function createSocket(settings: createConnection.Settings): Endpoint<Connection> {
  let current: Connection | undefined
  let uses = 0
  let stopped = false

  function connect(): Connection {
    if (!current?.isUsable()) current = createConnection(settings)
    return current
  }
  function retire(): void {
    if (stopped && uses === 0) current?.retire()
  }
  return {
    async workOver(work) {
      uses += 1
      try {
        return await work(connect())
      } finally {
        uses -= 1
        retire()
      }
    },
    stop() {
      stopped = true
      retire()
    },
  }
}
