import { createConnection, type Body, type Connection } from './createConnection.ts'

/** Asks a node over one WebSocket, which is opened when it is first needed, and anew when it is needed after it has ended. */
export function createSocket(settings: createConnection.Settings): Socket {
  let current: Connection | undefined
  let stopped = false

  function connect(): Connection {
    if (!current?.isUsable()) current = createConnection(settings)
    return current
  }
  return {
    async request(body) {
      const connection = connect()
      const answer = connection.ask(body)
      if (stopped) connection.retire()
      return await answer
    },
    async subscribe(onNotice) {
      const connection = connect()
      connection.setOnNotice(onNotice)
      await connection.ask({ method: 'eth_subscribe', params: ['newHeads'] })
      return connection
    },
    stop() {
      stopped = true
      current?.retire()
    },
  }
}

export type Socket = {
  /** What the node answers. @throws viem's `SocketClosedError`, `TimeoutError`, `RpcRequestError` */
  request(body: Body): Promise<unknown>
  /** Hears of each new block over the connection that is answered with, until it ends. @throws what `request` throws */
  subscribe(onNotice: (notice: unknown) => void): Promise<Pick<Connection, 'ask' | 'ended' | 'retire'>>
  /** Keeps nothing open from now on: each connection ends once it has answered. */
  stop(): void
}
