import { once } from 'node:events'
import process from 'node:process'
import { connect } from 'node:net'
import type { Settings } from '@agio/server'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'

const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

describe.each(['Node', 'Deno'] as const)('the service on %s', (runtime) => {
  const start = (settings: Settings) => startServerProcess(settings, runtime)

  it(`the service on ${runtime} answers a broadcast in flight as pending before it exits`, async () => {
    const chain = localnet.chains[84532]
    const { client } = connectOwner(chain)
    const wallet = await createWallet(chain)
    const server = await start(settingsFor(localnet, { broadcastWaitMs: 600_000 }))
    const call = createRestCaller({ url: server.url, apiKey })
    const transfer = { to: wallet.address, data: '0x', value: '0', chainId: 84532, gasLimit: '21000' } as const
    const signedTransaction = await wallet.sign(call, transfer)
    await client.setAutomine(false)
    await client.setIntervalMining({ interval: 0 })
    try {
      const answered = call('transaction.broadcast', { signedTransaction })
      const isSent = async () =>
        (await client.getTransactionCount({ address: wallet.address, blockTag: 'pending' })) === 1
      await expect.poll(isSent).toBe(true)
      const stopped = server.stop()
      expect(await answered).toMatchObject({ status: 200, data: { status: 'pending' } })
      await stopped
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
  })

  it(`the service on ${runtime} answers while it drains, closing connections, and a second signal ends it at once`, async () => {
    const server = await start(settingsFor(localnet, { drainMs: 3_600_000 }))
    const get = async (path: string) => {
      const { statusCode, headers, body } = await request(`${server.url}${path}`, { headers: { 'x-api-key': apiKey } })
      await body.dump()
      return { status: statusCode, connection: headers['connection'] }
    }
    expect(await get('/health/ready')).toMatchObject({ status: 200 })
    process.kill(server.pid, 'SIGTERM')
    await expect.poll(() => get('/health/ready')).toEqual({ status: 503, connection: 'close' })
    for (const path of ['/health/live', '/health', '/docs', '/api/v1/pools', '/trpc/pools.list?input=%7B%7D']) {
      expect(await get(path), path).toEqual({ status: 200, connection: 'close' })
    }
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toBe(143)
  })

  it(`the service on ${runtime} fails to start on a port in use, and exits`, async () => {
    const first = await start(settingsFor(localnet))
    const port = Number(new URL(first.url).port)
    await expect(start(settingsFor(localnet, { port }))).rejects.toThrow(`port ${port}: the port is taken. Set PORT`)
    await expect(start(settingsFor(localnet, { metricsPort: port }))).rejects.toThrow('taken. Set METRICS_PORT')
    await first.stop()
  })
})

it.concurrent.each(['Node', 'Deno'] as const)(
  'the service on %s exits with code 0 after its drain time, although connections stay open, and one with half a request',
  async (runtime) => {
    const server = await startServerProcess(settingsFor(localnet, { drainMs: 200 }), runtime)
    const { hostname, port } = new URL(server.url)
    const silent = connect(Number(port), hostname)
    const halfway = connect(Number(port), hostname)
    for (const socket of [silent, halfway]) {
      socket.on('error', () => {})
      await once(socket, 'connect')
    }
    halfway.write(
      `POST /api/v1/convert/preview HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`,
    )
    await createRestCaller({ url: server.url, apiKey })('pools.list', {})
    await server.stop()
    expect(await server.exited).toBe(0)
    silent.destroy()
    halfway.destroy()
  },
)
