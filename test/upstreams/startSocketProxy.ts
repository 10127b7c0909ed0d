import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { decodeFrames, encodeFrame } from './socketFrames.ts'

/**
 * Starts a WebSocket proxy between the service and a node, which records every call, can replace its response, and can send
 * its own messages.
 *
 * @param upstream the HTTP URL of the node
 */
export async function startSocketProxy(upstream: string): Promise<SocketProxy> {
  const calls: ProxiedCall[] = []
  // Each with a function that connects it to the current node.
  const clients = new Map<Duplex, () => void>()
  let answer: SocketAnswer = () => undefined
  let nodeUrl = upstream

  function serve(client: Duplex): void {
    let node: WebSocket
    let opened: Promise<unknown>
    const end = () => {
      clients.delete(client)
      client.destroy()
      node.close()
    }
    const connect = () => {
      const own = new WebSocket(nodeUrl.replace(/^http/, 'ws'))
      node = own
      opened = once(own, 'open')
      own.addEventListener('close', () => own === node && end())
      own.addEventListener('message', ({ data }) => client.write(encodeFrame(String(data))))
    }
    connect()
    clients.set(client.on('close', end).on('error', end), () => {
      const previous = node
      connect()
      previous.close()
    })
    const decode = decodeFrames((message) => {
      const { id, method, params } = JSON.parse(message) as { id: number; method: string; params?: unknown }
      calls.push({ method, params, receivedAtMs: performance.now() })
      const own = answer(method, id)
      if (own === undefined) void opened.then(() => node.send(message))
      else if (own !== 'nothing') client.write(encodeFrame(own))
    }, end)
    client.on('data', decode)
  }
  const server = createServer().on('upgrade', ({ headers }, client) => {
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    client.write(`${lines.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`)
    serve(client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const send = (text: string) => {
    for (const client of clients.keys()) client.write(encodeFrame(text))
  }
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    count: (method) => calls.filter((call) => call.method === method).length,
    setAnswer: (next) => (answer = next),
    reset: () => (answer = () => undefined),
    send,
    setUpstream(url) {
      nodeUrl = url
      for (const connect of clients.values()) connect()
    },
    notify: (result) =>
      send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x1', result } })),
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close')
      for (const client of clients.keys()) client.destroy()
      await closed
    },
  }
}

/** The response to a call, `nothing` for no response, or undefined to forward the call to the node. */
type SocketAnswer = (method: string, id: number) => string | undefined

type ProxiedCall = { readonly method: string; readonly params: unknown; readonly receivedAtMs: number }

export type SocketProxy = AsyncDisposable & {
  readonly url: string
  /** All calls, in order. */
  readonly calls: readonly ProxiedCall[]
  count(method: string): number
  /** Sets the answer to all further calls. */
  setAnswer(answer: SocketAnswer): void
  /** Forwards all further calls to the node. */
  reset(): void
  /** Forwards further calls to another node, also over open connections. */
  setUpstream(url: string): void
  /** Sends a text to all clients. */
  send(text: string): void
  /** Sends a subscription notification to all clients. */
  notify(result: unknown): void
}
