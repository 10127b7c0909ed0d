import type { Load } from '../Load.ts'
import { openConnection, type Connection, writeRequest } from './openConnection.ts'

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
