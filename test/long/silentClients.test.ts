import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { readUsage } from '../harness/readUsage.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from './trials.ts'

// The memory that a service may need for such clients.
const limitMB = 150
const observedMs = 5000

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))

describe.each(['Node', 'Deno'] as const)('the memory of the service on %s', (runtime) => {
  const server = setUp(() => startServerProcess(settingsFor(localnet), runtime))
  beforeAll(async () => {
    // The first response reads the script.
    await (await request(`${server.url}/docs/reference.js`)).body.dump({ limit: 10_000_000 })
  })

  it.each([
    { connections: 1, requests: 300 },
    { connections: 400, requests: 1 },
    { connections: 400, requests: 16 },
  ])(
    `the memory of the service on ${runtime} stays bounded under $connections connections that each send $requests requests for the largest document and never read`,
    async ({ connections, requests }) => {
      const { residentMB: beforeMB } = await readUsage(server.pid)
      const sockets = await openSilent(server.url, connections)
      // Each from its own address, because the limit by address must not bound them.
      for (const [index, socket] of sockets.entries()) socket.write(createRequest(index).repeat(requests))
      const peakMB = await observePeakMB(server)
      for (const socket of sockets) socket.destroy()
      const { residentMB: afterMB } = await readUsage(server.pid)
      recordTrial({
        trial: `Clients that never read, on ${runtime}: ${connections} × ${requests}`,
        tried: `Connections: ${connections}, each with ${requests} pipelined requests for the largest document (4.35 MB), never read`,
        result: `Resident memory: ${beforeMB} MB before, ${peakMB} MB at most, ${afterMB} MB after they closed`,
      })
      expect(peakMB - beforeMB).toBeLessThan(limitMB)
    },
    120_000,
  )
})

function createRequest(index: number): string {
  const address = `10.1.${index >> 8}.${index & 255}`
  return `GET /docs/reference.js HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`
}

async function openSilent(url: string, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url)
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {}).pause()
      await once(socket, 'connect')
      return socket
    }),
  )
}

async function observePeakMB(server: ServerProcess): Promise<number> {
  const untilMs = performance.now() + observedMs
  let peakMB = 0
  while (performance.now() < untilMs) {
    peakMB = Math.max(peakMB, (await readUsage(server.pid)).residentMB)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return peakMB
}
