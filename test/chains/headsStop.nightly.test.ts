import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'

let localnet: Localnet
let wire: TcpProxy

beforeAll(async () => {
  localnet = await startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 })
  wire = await startTcpProxy(localnet.chains[84532].rpcUrl)
})

afterAll(async () => {
  for (const part of [localnet, wire]) await part?.[Symbol.asyncDispose]()
})

it.each(['Node', 'Deno'] as const)(
  'a process on %s can stop while its WebSocket is open, stalled or cut',
  async (runtime) => {
    const rpcUrls = { 84532: [wire.url.replace(/^http/, 'ws')] }
    const input = validInputs(localnet.chains[84532])['convert.preview']
    for (const fault of [async () => {}, async () => wire.stall(), () => wire.cut()]) {
      await using server = await startServerProcess(settingsFor(localnet, { rpcUrls }), runtime)
      const call = createRestCaller({ url: server.url, apiKey })
      await vi.waitUntil(async () => (await call('convert.preview', input)).status === 200, eventually)
      await fault()
      // The fault lasts until the process has stopped.
      await server.stop()
      await wire.restore()
      expect(server.lines.join('\n')).not.toMatch(/error/i)
    }
  },
)
