import { once } from 'node:events'
import { connect } from 'node:net'
import type { Load } from '../createLoads.ts'

const connections = 128
// At first both ends run cold code and open connections.
const maxWarmUpSeconds = 1

/**
 * Sends requests at a constant rate over 128 connections, without waiting for responses. The latency of a request starts when
 * it was due, so a stall of the service counts for every request due during it. Requests of a warm-up of one second, or of the
 * measured duration if that is shorter, are discarded.
 *
 * Uses bare sockets: a general-purpose client costs more per request than the subject.
 */
export async function sendAtRate({ url, requests, perSecond, seconds }: sendAtRate.Settings): Promise<Times> {
  const written = requests.map((request) => writeRequest(new URL(url), request))
  const warmUp = Math.floor(perSecond * Math.min(seconds, maxWarmUpSeconds))
  const count = warmUp + Math.max(1, Math.floor(perSecond * seconds))
  const spacingMs = 1000 / perSecond
  const times: number[] = []
  const free: Connection[] = []
  let [sent, answered, refused] = [0, 0, 0]
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()

  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(new URL(url), fail)))
  free.push(...open)
  const startedMs = performance.now()
  function sendDue(): void {
    const due = Math.min(count, (performance.now() - startedMs) / spacingMs)
    for (let connection = free.at(-1); connection && sent < due; connection = free.at(-1)) {
      free.pop()
      send(connection, sent++)
    }
  }
  function send(connection: Connection, index: number): void {
    connection.send(written[index % written.length] as Buffer, (status) => {
      if (index >= warmUp) times.push(performance.now() - startedMs - index * spacingMs)
      if (status !== 200) refused += 1
      free.push(connection)
      if (++answered === count) end()
      else sendDue()
    })
  }
  const timer = setInterval(sendDue, 1)
  await ended.finally(() => {
    clearInterval(timer)
    for (const connection of open) connection.close()
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN
  return { count, refused, p50Ms: at(0.5), p99Ms: at(0.99) }
}

export declare namespace sendAtRate {
  type Settings = {
    readonly url: string
    readonly requests: Load
    readonly perSecond: number
    readonly seconds: number
  }
}

type Times = { readonly count: number; readonly refused: number; readonly p50Ms: number; readonly p99Ms: number }

/** Opens a connection that carries one request at a time. `fail` runs if the connection closes unexpectedly. */
async function openConnection({ hostname, port }: URL, fail: (error: Error) => void): Promise<Connection> {
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

type Connection = {
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
function writeRequest({ host }: URL, { method, path, headers, body = '' }: Load[number]): Buffer {
  const sent = { host, ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
