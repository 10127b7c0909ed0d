import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { findFreePort } from '../harness/findFreePort.ts'
import { killOnExit } from '../harness/killOnExit.ts'
import { setUp } from '../harness/setUp.ts'
import { adminKey, apiKey, settingsFor } from '../harness/settingsFor.ts'
import { toEnvironment, toServerCommand, type Runtime } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { eventually } from '../harness/timeLimits.ts'
import { brokenOutputs, type BrokenOutput } from './brokenOutputs.ts'

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))
const root = fileURLToPath(new URL('../..', import.meta.url))

describe.each(['Node', 'Deno'] as const)('a service on %s', (runtime) => {
  it.each(Object.entries(brokenOutputs))(
    `a service on ${runtime} that logs to %s answers, counts the dropped lines, and ends on SIGTERM`,
    async (_, openOutput) => {
      using output = openOutput()
      await using service = await start(runtime, output)
      const listPools = async () => (await service.get('/api/v1/pools?chainId=421614')).status
      await expect.poll(() => listPools().catch(String), eventually).toBe(200)
      output.fail()
      // An error is logged without delay.
      expect((await service.get('/api/v1/oracle/prices/84532')).status).toBe(503)
      expect(await listPools()).toBe(200)
      await service.fillLog()
      await expect.poll(service.countDropped).toBeGreaterThan(0)
      expect(await listPools()).toBe(200)
      if (output.readLines) await expectRecovery(service, output.readLines())
      expect(await service.stop()).toBe(0)
    },
  )
})

/** Starts a service whose first chain has no node. */
async function start(runtime: Runtime, output: BrokenOutput): Promise<LoggingProcess> {
  const port = await findFreePort()
  const rpcUrls = { 84532: ['http://127.0.0.1:1'] }
  const settings = settingsFor(localnet, { port, rpcUrls, logLevel: 'info' })
  const keys = { 'x-api-key': apiKey, 'x-admin-key': adminKey }
  const options = { url: `http://127.0.0.1:${port}`, keys, env: toEnvironment(settings) }
  return startWithOutput(toServerCommand(runtime, settings), output, options)
}

/** Expects whole lines, in the end one that reports the dropped ones, and the lines of later requests. */
async function expectRecovery({ get, countDropped }: LoggingProcess, lines: readonly string[]): Promise<void> {
  const find = (text: string) => lines.filter((line) => line.includes(text))
  const reports = () => find('"droppedLines"').map((line) => JSON.parse(line) as object)
  await expect.poll(reports).toMatchObject([{ droppedLines: await countDropped() }])
  await get('/api/v1/after-the-recovery')
  await expect.poll(() => find('/after-the-recovery')).toHaveLength(1)
  for (const line of lines) if (!/^(ready|serving) /.test(line)) JSON.parse(line)
}

/** Starts a command that serves the API, with a standard output that may fail. */
function startWithOutput(command: readonly string[], { stdio }: Pick<BrokenOutput, 'stdio'>, options: Options) {
  const { url, keys, env } = options
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', stdio, 'ignore'] })
  killOnExit(child)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    return await exited
  }
  const get = async (path: string) => {
    const response = await request(`${url}${path}`, { headers: keys })
    return { status: response.statusCode, text: await response.body.text() }
  }
  return {
    get,
    /** Sends requests whose log lines take more than the buffer and any pipe hold. */
    async fillLog() {
      const path = `/api/v1/${'x'.repeat(10_000)}`
      for (let sent = 0; sent < 600; sent += 20) await Promise.all(Array.from({ length: 20 }, () => get(path)))
    },
    /** The number of dropped lines in the metrics. */
    async countDropped() {
      return Number(/^agio_log_lines_dropped_total (\d+)$/m.exec((await get('/metrics')).text)?.[1])
    },
    /** Sends SIGTERM. Returns the exit code, or null if a signal has killed the process. */
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}

type Options = {
  /** Where the command serves. */
  readonly url: string
  /** The headers of the API key and of the admin key. */
  readonly keys: Readonly<Record<'x-api-key' | 'x-admin-key', string>>
  readonly env: Readonly<Record<string, string>>
}

type LoggingProcess = ReturnType<typeof startWithOutput>
