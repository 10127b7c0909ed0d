import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createSender } from './createSender.ts'

const message = { id: 'msg_1', payload: '{}', secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`] }

/** Starts a receiver that accepts connections and never answers, also not the hello of TLS. */
async function startSilent() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Resolves once a client has connected. */
    connected: once(server, 'connection'),
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const resolveHost = async () => ['127.0.0.1']

it('an attempt at a receiver that never answers the hello of TLS ends with its time', async () => {
  using silent = await startSilent()
  const send = createSender({ targets: 'local', timeoutMs: 500, resolveHost })
  const sent = send({ ...message, url: silent.url }, new AbortController().signal)
  expect(await sent).toEqual({ outcome: 'failed', error: 'timeout' })
})

it('an attempt that has no connection yet ends with the service', async () => {
  using silent = await startSilent()
  const stopping = new AbortController()
  const send = createSender({ targets: 'local', timeoutMs: 60_000, resolveHost })
  const sent = send({ ...message, url: silent.url }, stopping.signal)
  await silent.connected
  stopping.abort()
  expect(await sent).toEqual({ outcome: 'aborted' })
})

it('a message reaches the next address of a host if the first refuses connections, and only once', async () => {
  let requests = 0
  const receiver = createHttpServer((_, response) => {
    requests += 1
    response.end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://shop.example:${(receiver.address() as AddressInfo).port}/`
  const send = createSender({ targets: 'local', timeoutMs: 5000, resolveHost: async () => ['127.0.0.2', '127.0.0.1'] })
  expect(await send({ ...message, url }, new AbortController().signal)).toEqual({ outcome: 'delivered', status: 200 })
  expect(requests).toBe(1)
  receiver.close()
})
