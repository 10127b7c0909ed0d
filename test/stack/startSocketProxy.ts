import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { decodeFrames } from './decodeFrames.ts'
import { encodeFrame } from './encodeFrame.ts'

/**
 * Stands between the service and a node by WebSocket: writes down every call, passes all on both ways, and sends what it is
 * told to beside.
 *
 * @param upstream the node's URL, by HTTP
 */
export async function startSocketProxy(upstream: string): Promise<SocketProxy> {
  const calls: ProxiedCall[] = []
  const clients = new Set<Duplex>()
  let answer: SocketAnswer = () => undefined

  function serve(client: Duplex): void {
    const node = new WebSocket(upstream.replace(/^http/, 'ws'))
    const opened = once(node, 'open')
    const end = () => {
      clients.delete(client)
      client.destroy()
      node.close()
    }
    clients.add(client.on('close', end).on('error', end))
    node.addEventListener('close', end)
    node.addEventListener('message', ({ data }) => client.write(encodeFrame(String(data))))
    const decode = decodeFrames((message) => {
      const { id, method } = JSON.parse(message) as { id: number; method: string }
      calls.push({ method, receivedAtMs: performance.now() })
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
    for (const client of clients) client.write(encodeFrame(text))
  }
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    count: (method) => calls.filter((call) => call.method === method).length,
    setAnswer: (next) => (answer = next),
    reset: () => (answer = () => undefined),
    send,
    notify: (result) =>
      send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x1', result } })),
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close')
      for (const client of clients) client.destroy()
      await closed
    },
  }
}

/** The text to answer a call with, `nothing` to leave it there, or undefined for what the node answers. */
type SocketAnswer = (method: string, id: number) => string | undefined

type ProxiedCall = { readonly method: string; readonly receivedAtMs: number }

export type SocketProxy = AsyncDisposable & {
  readonly url: string
  /** All that was asked, in order. */
  readonly calls: readonly ProxiedCall[]
  count(method: string): number
  /** Answers all calls this way from now on. */
  setAnswer(answer: SocketAnswer): void
  /** Answers what the node answers again. */
  reset(): void
  /** Sends a text to all clients. */
  send(text: string): void
  /** Sends a notice of a subscription to all clients. */
  notify(result: unknown): void
}
