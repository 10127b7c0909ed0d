import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * Starts a TCP proxy between a client and a server, which can stall and hold back responses.
 *
 * @param target the initial URL of the server
 */
export async function startTcpProxy(target: string) {
  let address = new URL(target)
  const sockets = new Set<Socket>()
  let isStalled = false
  let recorded: Buffer[] | undefined
  let wanted: { readonly statement: string; onAnswer(kept: KeptAnswer): void } | undefined

  function forward(client: Socket): void {
    const server = connect(Number(address.port), address.hostname)
    let keep: ((kept: KeptAnswer) => void) | undefined
    let answer = Buffer.alloc(0)
    const breakOff = () => {
      client.destroy()
      server.destroy()
    }
    const pass = () => {
      keep = undefined
      client.write(answer)
    }
    for (const socket of [client, server]) {
      sockets.add(socket.setNoDelay())
      socket.on('error', breakOff).on('close', () => {
        sockets.delete(socket)
        breakOff()
      })
    }
    client.on('data', (sent) => {
      if (isStalled) return
      recorded?.push(sent)
      if (wanted && sent.includes(wanted.statement)) {
        keep = wanted.onAnswer
        wanted = undefined
      }
      server.write(sent)
    })
    server.on('data', (bytes) => {
      if (isStalled) return
      if (!keep) {
        client.write(bytes)
        return
      }
      answer = Buffer.concat([answer, bytes])
      if (isComplete(answer)) keep({ pass, breakOff })
    })
  }
  const listener = createServer(forward)
  const open = async (wantedPort: number) => {
    await once(listener.listen(wantedPort, '127.0.0.1'), 'listening')
    return (listener.address() as AddressInfo).port
  }
  const cut = async () => {
    if (!listener.listening) return
    const closed = once(listener.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const ownPort = await open(0)
  return {
    /** The URL of the target through the proxy. */
    url: Object.assign(new URL(target), { port: String(ownPort) }).href,
    /** Number of open connections. */
    countConnections: () => sockets.size / 2,
    /** Closes all connections, and refuses new ones. */
    cut,
    /** Accepts connections again, on the same port, and forwards further data. */
    async restore() {
      isStalled = false
      if (!listener.listening) await open(ownPort)
    },
    /** Connects to another server from the next connection on. */
    setTarget: (url: string) => void (address = new URL(url)),
    /** Forwards nothing, with all connections open. */
    stall: () => void (isStalled = true),
    /** Returns the list of what clients send from now on. */
    record: () => (recorded = []),
    /** Waits for the response to the next PostgreSQL statement that contains a text, and holds it back from the client. */
    keepAnswer: (statement: string) => new Promise<KeptAnswer>((onAnswer) => (wanted = { statement, onAnswer })),
    [Symbol.asyncDispose]: cut,
  }
}

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

type KeptAnswer = {
  /** Sends the response to the client. */
  pass(): void
  /** Closes the connection, so that the client never receives the response. */
  breakOff(): void
}

// A response ends with ReadyForQuery, which follows the commit.
function isComplete(answer: Buffer): boolean {
  return answer.length >= 6 && answer.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]))
}
