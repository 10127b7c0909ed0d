import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { createHttpServer } from './createHttpServer.ts'
import type { Refuse } from './answerUnread.ts'

let cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps) cleanUp()
  cleanUps = []
})

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const refuse: Refuse = async ({ code }) => new Response(code, { status: 400 })

async function start(options: Partial<createHttpServer.Options & createHttpServer.Limits> = {}) {
  const limits = { max: 100, maxPerAddress: 100, clientTimeoutMs: 60_000, ...options }
  const server = createHttpServer({ fetch: async () => new Response('ok'), refuse, hostname: 'a', ...options, limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => server.close().closeAllConnections())
  return server
}

/** A client of a server, which collects what it receives. */
async function open(server: Awaited<ReturnType<typeof start>>): Promise<Client> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  cleanUps.push(() => socket.destroy())
  const client = { socket, received: '', isClosed: false }
  socket.setEncoding('latin1').on('data', (chunk: string) => (client.received += chunk))
  socket.on('error', () => {}).on('close', () => (client.isClosed = true))
  await once(socket, 'connect')
  return client
}

type Client = { readonly socket: Socket; received: string; isClosed: boolean }

/** Starts a server for which each request has a valid key. */
async function startWithKeys(options: Partial<createHttpServer.Limits>) {
  const fetch: createHttpServer.Options['fetch'] = async (_request, _address, connection) => {
    if (connection) connection.isAuthenticated = true
    return new Response('ok')
  }
  const server = await start({ ...options, fetch })
  return {
    openSilent: () => open(server),
    async openWithKey() {
      const client = await open(server)
      client.socket.write(get)
      await expect.poll(() => countAnswers(client)).toBe(1)
      return client
    },
  }
}

/** Returns a function that answers requests once `finish` is called. */
function holdResponses() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { fetch: vi.fn<() => Promise<Response>>(() => promise.then(() => new Response('late'))), finish: resolve }
}

const countClosed = (clients: readonly Client[]) => clients.filter(({ isClosed }) => isClosed).length

const countAnswers = ({ received }: Client) => received.split('HTTP/1.1 200').length - 1

it('a connection above the limit takes the place of the one whose client has been silent for the longest', async () => {
  const server = await start({ maxPerAddress: 2 })
  const [first, second] = [await open(server), await open(server)]
  second.socket.write(get)
  await expect.poll(() => countAnswers(second)).toBe(1)
  first.socket.write(get)
  await expect.poll(() => countAnswers(first)).toBe(1)
  const third = await open(server)
  third.socket.write(get)
  await expect.poll(() => countAnswers(third)).toBe(1)
  expect([first.isClosed, second.isClosed]).toEqual([false, true])
})

it('a newcomer has the time to send its first request although other connections have sent a valid key', async () => {
  const { openSilent, openWithKey } = await startWithKeys({ max: 20 })
  const customers = await Promise.all(Array.from({ length: 20 }, openWithKey))
  const newcomer = await openSilent()
  await openSilent()
  newcomer.socket.write(get)
  await expect.poll(() => countAnswers(newcomer)).toBe(1)
  expect(countClosed(customers)).toBe(2)
})

it('a connection above the limit is closed while the service works on the requests of all others', async () => {
  const { fetch, finish } = holdResponses()
  const server = await start({ max: 1, fetch })
  const working = await open(server)
  working.socket.write(get)
  await expect.poll(() => fetch).toHaveBeenCalledTimes(1)
  const refused = await open(server)
  await expect.poll(() => refused.isClosed).toBe(true)
  finish()
  await expect.poll(() => countAnswers(working)).toBe(1)
})

it('a connection may have 16 requests waiting, and is closed above that', async () => {
  const server = await start()
  const allowed = await open(server)
  allowed.socket.write(get.repeat(16))
  await expect.poll(() => countAnswers(allowed)).toBe(16)
  allowed.socket.write(get.repeat(16))
  await expect.poll(() => countAnswers(allowed)).toBe(32)
  const excessive = await open(server)
  excessive.socket.write(get.repeat(300))
  await expect.poll(() => excessive.isClosed).toBe(true)
})

it('a response that was sent leaves the memory, although its connection stays open', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const server = await start()
  const sent = once(server, 'request').then(([, outgoing]: ServerResponse[]) => new WeakRef(outgoing as ServerResponse))
  const client = await open(server)
  client.socket.write(get)
  const response = await sent
  await expect.poll(() => countAnswers(client)).toBe(1)
  await expect
    .poll(() => {
      collect()
      return response.deref()
    })
    .toBeUndefined()
  expect(client.isClosed).toBe(false)
})

it('a connection whose client does not read its response is closed', async () => {
  const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536))
  const server = await start({ clientTimeoutMs: 200, fetch: async () => new Response(new ReadableStream({ pull })) })
  const connected = once(server, 'connection')
  const client = await open(server)
  client.socket.pause().write(get)
  const [connection] = (await connected) as [Socket]
  await expect.poll(() => connection.destroyed).toBe(true)
})

it('a connection stays open for as long as the service works on its request', async () => {
  const { fetch, finish } = holdResponses()
  const server = await start({ clientTimeoutMs: 200, fetch })
  const client = await open(server)
  client.socket.write(get)
  // By then all time limits are over.
  for (let count = 0; count < 2; count += 1) {
    const silent = await open(server)
    await expect.poll(() => silent.isClosed).toBe(true)
  }
  finish()
  await expect.poll(() => countAnswers(client)).toBe(1)
})

it('a connection stays open for longer than the minute after which load balancers close it', async () => {
  const client = await open(await start())
  client.socket.write(get)
  await expect.poll(() => countAnswers(client)).toBe(1)
  expect(Number(/keep-alive: timeout=(\d+)/i.exec(client.received)?.[1])).toBeGreaterThan(60)
})

it('a connection without a request is closed without an answer', async () => {
  const refused = vi.fn<Refuse>(refuse)
  const server = await start({ clientTimeoutMs: 200, refuse: refused })
  const client = await open(server)
  await expect.poll(() => client.isClosed).toBe(true)
  expect([client.received, refused.mock.calls]).toEqual(['', []])
})

it('bytes after a request that are not HTTP close the connection, once the request is answered', async () => {
  const { fetch, finish } = holdResponses()
  const refused = vi.fn<Refuse>(refuse)
  const server = await start({ fetch, refuse: refused })
  const client = await open(server)
  client.socket.write(`${get}nonsense\r\n\r\n`)
  await expect.poll(() => refused).toHaveBeenCalledTimes(1)
  finish()
  await expect.poll(() => client.isClosed).toBe(true)
  expect(countAnswers(client)).toBe(1)
  expect(client.received).not.toContain('svc/')
})
