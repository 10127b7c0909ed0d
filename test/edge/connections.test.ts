import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { request } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { setUp } from '../harness/setUp.ts'

const maxConnections = 8

const stack = setUp(() => startAgio({ maxConnections, maxConnectionsPerAddress: maxConnections }))

let clients: Client[] = []
afterEach(() => {
  for (const { socket } of clients) socket.destroy()
  clients = []
})

type Client = { readonly socket: Socket; received: string; isClosed: boolean }

/** Opens a connection, and sends a request over it. */
async function open(bytes = ''): Promise<Client> {
  const { hostname, port } = new URL(stack.url)
  const socket = connect(Number(port), hostname)
  const client: Client = { socket, received: '', isClosed: false }
  clients.push(client)
  socket.setEncoding('latin1').on('data', (chunk: string) => (client.received += chunk))
  socket.on('error', () => {}).on('close', () => (client.isClosed = true))
  await once(socket, 'connect')
  socket.write(bytes)
  return client
}

const get = (path: string, key = apiKey, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n${headers}\r\n`
const topics = [{ topic: 'health' }]
const streamPath = `/api/v1/stream?topics=${encodeURIComponent(JSON.stringify(topics))}`
const restStream = get(streamPath)
const browserStream = get(streamPath, apiKey, 'Origin: http://localhost:5173\r\n')
const trpcStream = get(`/trpc/stream.watch?input=${encodeURIComponent(JSON.stringify({ topics }))}`)

async function openStream(bytes: string): Promise<Client> {
  const client = await open(bytes)
  await expect.poll(() => client.received).toContain('"status":"ok"')
  return client
}

/** Opens a connection that is idle after a call. */
async function openIdle(key?: string): Promise<Client> {
  const client = await open(get('/api/v1/chains', key))
  await expect.poll(() => client.received).toContain('"success"')
  return client
}

/** Opens connections one after the other. Each is accepted before the next one. */
async function flood(count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += 1) {
    const client = await open('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => client.received !== '' || client.isClosed).toBe(true)
  }
}

async function countClosed(reason: string): Promise<number> {
  const { body } = await request(`${stack.url}/metrics`, { headers: { 'x-admin-key': adminKey }, reset: true })
  const found = new RegExp(`^agio_connections_closed_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(
    await body.text(),
  )
  return Number(found?.[1])
}

it('connections without a valid key replace each other, and no stream or idle connection of a customer', async () => {
  const streams = [await openStream(restStream), await openStream(trpcStream), await openStream(browserStream)]
  const idle = await openIdle()
  const before = await countClosed('idle-without-key')
  const guess = await openIdle('agio_none')
  await flood(3 * maxConnections)
  expect([...streams, idle].map(({ isClosed }) => isClosed)).toEqual([false, false, false, false])
  await expect.poll(() => guess.isClosed).toBe(true)
  expect(await countClosed('idle-without-key')).toBeGreaterThanOrEqual(before + 2 * maxConnections)
  idle.socket.write(get('/api/v1/chains'))
  await expect.poll(() => idle.received.split('"success":true').length).toBe(3)
})

it('idle connections of customers are replaced before a stream, those that were silent longest first', async () => {
  const streams = [await openStream(restStream), await openStream(trpcStream)]
  const before = await countClosed('idle')
  const idle: Client[] = []
  for (let opened = 0; opened < maxConnections; opened += 1) idle.push(await openIdle())
  expect(streams.map(({ isClosed }) => isClosed)).toEqual([false, false])
  await expect.poll(() => idle.map(({ isClosed }) => isClosed).indexOf(false)).toBeGreaterThanOrEqual(2)
  expect(idle.at(-1)?.isClosed).toBe(false)
  expect(await countClosed('idle')).toBeGreaterThanOrEqual(before + 2)
})
