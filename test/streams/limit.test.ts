import { request } from 'undici'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { openStream } from './openStream.ts'

const runtime = inject('extent') === 'nightly' ? 'Deno' : 'Node'
const maxStreams = 3
const topics = [{ topic: 'health' }]

let localnet: Awaited<ReturnType<typeof startTestLocalnet>>
let server: { readonly url: string; stop(): Promise<void> }

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true })
  server =
    runtime === 'Node'
      ? await startTestServer(localnet, { maxStreams, ownDatabase: true })
      : await startServerProcess(settingsFor(localnet, { maxStreams }), runtime)
})

afterAll(async () => {
  await server?.stop()
  await localnet?.stop()
})

const headers = { 'x-api-key': apiKey }
const restPath = `/api/v1/stream?topics=${encodeURIComponent(JSON.stringify(topics))}`
const trpcPath = `/trpc/stream.watch?input=${encodeURIComponent(JSON.stringify({ topics }))}`

it('streams of all keys above the limit of the process are 503 with Retry-After, until one of them is closed', async () => {
  const { key } = await createAdminClient(server.url).issue()
  const [first, ...others] = await Promise.all(
    Array.from({ length: maxStreams }, () => openStream(server.url, { topics, apiKey: key })),
  )
  for (const stream of [first, ...others]) await stream?.waitForTopic('health')
  const [rest, trpc] = await Promise.all(
    [restPath, trpcPath].map(async (path) => {
      const response = await request(`${server.url}${path}`, { headers })
      return { ...response, json: await response.body.json() }
    }),
  )
  expect(rest).toMatchObject({ statusCode: 503, json: { code: 'svc/streams-full', retryAfterSeconds: 5 } })
  expect(trpc).toMatchObject({ statusCode: 503, json: { error: { data: { code: 'svc/streams-full' } } } })
  expect([rest, trpc].map((refused) => refused?.headers['retry-after'])).toEqual(['5', '5'])
  // Only the streams are limited.
  expect((await request(`${server.url}/api/v1/chains`, { headers })).statusCode).toBe(200)
  await first?.close()
  const openAgain = async () => {
    const again = await openStream(server.url, { topics, apiKey })
    others.push(again)
    return again.response.status
  }
  await expect.poll(openAgain).toBe(200)
  for (const stream of others) await stream.close()
})
