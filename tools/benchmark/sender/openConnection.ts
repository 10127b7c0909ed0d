import { once } from 'node:events'
import { connect } from 'node:net'
import type { Load } from '../Load.ts'

/** Opens a connection that carries one request at a time. `fail` runs if the connection closes unexpectedly. */
export async function openConnection({ hostname, port }: URL, fail: (error: Error) => void): Promise<Connection> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let received = ''
  let answer: ((status: number) => void) | undefined
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    if (!isWhole(received)) return
    const status = Number(received.slice(9, 12))
    received = ''
    answer?.(status)
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('Cannot measure: the subject closed a connection')))
  return {
    send(request, onAnswer) {
      answer = onAnswer
      socket.write(request)
    },
    close() {
      socket.removeAllListeners('close')
      socket.destroy()
    },
  }
}

export type Connection = {
  /** Sends a request, and returns the status of its response once it is complete. */
  send(request: Buffer, onAnswer: (status: number) => void): void
  close(): void
}

function isWhole(answer: string): boolean {
  const bodyAt = answer.indexOf('\r\n\r\n') + 4
  if (bodyAt < 4) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1]
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= bodyAt + Number(length)
}

/** The bytes of a request on the wire. */
export function writeRequest({ host }: URL, { method, path, headers, body = '' }: Load[number]): Buffer {
  const sent = { host, ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
