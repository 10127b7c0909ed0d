import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Starts a WebSocket proxy between the service and a node, which records every call, can replace its response, and can send
 * its own messages.
 *
 * @param upstream the HTTP URL of the node
 */
export async function startSocketProxy(upstream: string) {
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
    /** All calls, in order. */
    calls,
    count: (method: string) => calls.filter((call) => call.method === method).length,
    /** Sets the answer to all further calls. */
    setAnswer: (next: SocketAnswer) => void (answer = next),
    /** Forwards all further calls to the node. */
    reset: () => void (answer = () => undefined),
    /** Sends a text to all clients. */
    send,
    /** Forwards further calls to another node, also over open connections. */
    setUpstream(url: string) {
      nodeUrl = url
      for (const connect of clients.values()) connect()
    },
    /** Sends a subscription notification to all clients. */
    notify: (result: unknown) =>
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

export type SocketProxy = Awaited<ReturnType<typeof startSocketProxy>>

const [textOpcode, closeOpcode] = [1, 8]

/**
 * Decodes the WebSocket frames of a client from a stream of bytes.
 *
 * @param onText receives each message, which is one frame
 * @param onClose runs when the client closes
 */
function decodeFrames(onText: (message: string) => void, onClose: () => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (let frame = findFrame(rest); frame; frame = findFrame(rest)) {
      rest = rest.subarray(frame.end)
      if (frame.opcode === textOpcode) onText(frame.payload.toString())
      if (frame.opcode === closeOpcode) onClose()
    }
  }
}

function findFrame(bytes: Buffer) {
  if (bytes.length < 2 || bytes.length < headerLength(bytes)) return undefined
  const start = headerLength(bytes)
  const end = start + payloadLength(bytes)
  if (bytes.length < end) return undefined
  const mask = bytes.subarray(start - 4, start)
  const payload = Buffer.from(bytes.subarray(start, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
  return { opcode: (bytes[0] ?? 0) & 0xf, payload, end }
}

function headerLength(bytes: Buffer): number {
  const short = (bytes[1] ?? 0) & 0x7f
  return 6 + (short === 127 ? 8 : short === 126 ? 2 : 0)
}

function payloadLength(bytes: Buffer): number {
  const short = (bytes[1] ?? 0) & 0x7f
  if (short === 127) return Number(bytes.readBigUInt64BE(2))
  return short === 126 ? bytes.readUInt16BE(2) : short
}

/** The WebSocket frame of a text that a server sends. */
function encodeFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.alloc(10)
  header[0] = 0x81
  header[1] = 127
  header.writeBigUInt64BE(BigInt(payload.length), 2)
  if (payload.length > 0xffff) return Buffer.concat([header, payload])
  header[1] = payload.length < 126 ? payload.length : 126
  header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header.subarray(0, payload.length < 126 ? 2 : 4), payload])
}
