import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Localnet } from '@agio/localnet'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenOutputs, type BrokenOutput } from './stack/brokenOutputs.ts'
import { findFreePort } from './stack/findFreePort.ts'
import { killOnExit } from './stack/killOnExit.ts'
import { adminKey, apiKey, settingsFor } from './stack/settingsFor.ts'
import { serverCommands, toEnvironment } from './stack/startServerProcess.ts'
import { startTestLocalnet } from './stack/startTestLocalnet.ts'

// A start takes a second on an idle machine.
const startMs = 60_000

const root = fileURLToPath(new URL('..', import.meta.url))

let localnet: Localnet
beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
})
afterAll(() => localnet?.stop())

describe.each(['Node', 'Deno'] as const)('a service on %s', (runtime) => {
  it.each(Object.entries(brokenOutputs))(
    `a service on ${runtime} that logs to %s answers, counts the dropped lines, and ends on SIGTERM`,
    async (_, openOutput) => {
      using output = openOutput()
      await using service = await startLogging(runtime, output)
      const { url } = service
      const listPools = async () => (await get(`${url}/api/v1/pools?chainId=421614`)).status
      await expect.poll(() => listPools().catch(String), { timeout: startMs }).toBe(200)
      output.fail()
      // An error is logged without delay.
      expect((await get(`${url}/api/v1/oracle/prices/84532`)).status).toBe(503)
      expect(await listPools()).toBe(200)
      await fillLog(url)
      await expect.poll(() => countDropped(url)).toBeGreaterThan(0)
      expect(await listPools()).toBe(200)
      if (output.readLines) await expectRecovery(url, output.readLines())
      expect(await service.end('SIGTERM')).toBe(0)
    },
    2 * startMs,
  )
})

/** Starts a service whose first chain has no node. */
async function startLogging(runtime: keyof typeof serverCommands, { stdio }: BrokenOutput) {
  const port = await findFreePort()
  const rpcUrls = { 84532: ['http://127.0.0.1:1'] }
  const settings = settingsFor(localnet, { port, rpcUrls, logLevel: 'info' })
  const [command, ...args] = serverCommands[runtime]
  const env = { ...process.env, ...toEnvironment(settings) }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', stdio, 'ignore'] })
  killOnExit(child)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    return await exited
  }
  return { url: `http://127.0.0.1:${port}`, end, [Symbol.asyncDispose]: async () => void (await end('SIGKILL')) }
}

async function get(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await request(url, { headers: { 'x-api-key': apiKey, 'x-admin-key': adminKey } })
  return { status: response.statusCode, text: await response.body.text() }
}

/** Sends requests whose log lines take more than the buffer and any pipe hold. */
async function fillLog(url: string): Promise<void> {
  const path = 'x'.repeat(10_000)
  for (let sent = 0; sent < 600; sent += 20) {
    await Promise.all(Array.from({ length: 20 }, () => get(`${url}/api/v1/${path}`)))
  }
}

async function countDropped(url: string): Promise<number> {
  const { text } = await get(`${url}/metrics`)
  return Number(/^agio_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
}

/** Expects whole lines, in the end one that reports the dropped ones, and the lines of later requests. */
async function expectRecovery(url: string, lines: readonly string[]): Promise<void> {
  const find = (text: string) => lines.filter((line) => line.includes(text))
  const reports = () => find('"droppedLines"').map((line) => JSON.parse(line) as object)
  await expect.poll(reports).toMatchObject([{ droppedLines: await countDropped(url) }])
  await get(`${url}/api/v1/after-the-recovery`)
  await expect.poll(() => find('/after-the-recovery')).toHaveLength(1)
  for (const line of lines) if (!/^(ready|serving) /.test(line)) JSON.parse(line)
}
