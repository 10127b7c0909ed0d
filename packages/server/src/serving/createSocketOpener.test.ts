import { maxMessageBytes } from '@agio/chain'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createSocketOpener } from './createSocketOpener.ts'

it.each([
  ['is received', maxMessageBytes, 'message'],
  ['ends the connection', maxMessageBytes + 1, 'close'],
])('a compressed message %s if it has %d bytes after decompression', async (_, length, event) => {
  await using server = await startServer(createCompressedFrame(length))
  const opener = createSocketOpener()
  const socket = opener.openSocket(server.url)
  const received = new Promise<string>((resolve) => {
    for (const name of ['message', 'close'] as const) socket.addEventListener(name, () => resolve(name))
  })
  expect(await received).toBe(event)
  await opener.destroyAll()
})

/** Starts a server that accepts compressed messages and sends a frame on each WebSocket. */
async function startServer(frame: Buffer) {
  const server = createServer().on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Extensions: permessage-deflate',
      `Sec-WebSocket-Accept: ${accept.digest('base64')}`,
    ]
    socket
      .on('error', () => {})
      .on('end', () => socket.destroy())
      .resume()
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(frame)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')),
  }
}

/** Returns a compressed WebSocket frame of a text of zeros. */
function createCompressedFrame(length: number): Buffer {
  const payload = deflateRawSync(Buffer.alloc(length, '0'))
  const header = Buffer.alloc(4)
  // A final, compressed frame of text, with a length of two bytes.
  header[0] = 0xc1
  header[1] = 126
  header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header, payload])
}
