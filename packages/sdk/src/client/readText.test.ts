import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createAgio } from '../createAgio.ts'
import { readStream } from '../stream/Connections.ts'

const tooLarge = { code: 'network/invalid-response', message: expect.stringContaining('more than 1000000 bytes') }

/** Starts a service of one response. */
async function serve(respond: RequestListener) {
  const server = createServer(respond)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { api } = createAgio({ url })
  return {
    url,
    read: async () => await api.pools.list.query(),
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

const toBody = (data: string) => `{"result":{"data":${data}}}`

it('a response of 1 MB is read, and the bytes of a compressed response count as they are decompressed', async () => {
  let length = 1_000_000 - toBody('""').length
  await using service = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync(toBody(`"${'a'.repeat(length)}"`)))
  })
  expect(await service.read()).toHaveLength(length)
  length += 1
  await expect(service.read()).rejects.toMatchObject(tooLarge)
})

it('error: network/invalid-response for a response without an end, whose connection is closed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  await using service = await serve((_, response) => {
    const write = () => void response.write('a'.repeat(10_000), () => response.destroyed || setImmediate(write))
    response.on('close', resolve)
    write()
  })
  await expect(service.read()).rejects.toMatchObject(tooLarge)
  await closed
})

it('error: network/invalid-response for a response of 200,000 brackets', async () => {
  await using service = await serve((_, response) => {
    response.end(toBody('['.repeat(200_000) + ']'.repeat(200_000)))
  })
  await expect(service.read()).rejects.toMatchObject({ code: 'network/invalid-response', details: { status: 200 } })
})

it('error: network/invalid-response for an event of a stream without an end, after all events before it', async () => {
  await using service = await serve((_, response) => {
    const write = () => void response.write('a'.repeat(10_000), () => response.destroyed || setImmediate(write))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let index = 0; index < 20; index += 1) response.write(`data: {"a":"${'a'.repeat(99_000)}"}\n\n`)
    response.write('data: ')
    write()
  })
  let count = 0
  const options = { fetch, headers: {}, body: '{}', signal: new AbortController().signal }
  const reading = readStream(service.url, { ...options, onMessage: () => (count += 1) })
  await expect(reading).rejects.toMatchObject(tooLarge)
  expect(count).toBe(20)
})
