import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { Localnet } from '@agio/localnet'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase, type TestDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { listProcesses } from './listProcesses.ts'
import { adminKey, settingsFor, type SettingsChanges } from '../harness/settingsFor.ts'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import { killOnExit } from '../harness/killOnExit.ts'
import {
  startServerProcess,
  toEnvironment,
  toServerCommand,
  type Runtime,
  type ServerProcess,
} from '../harness/startServerProcess.ts'
import { startWithOutput } from './startWithOutput.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'

const roomy = { requests: 1_000_000, windowSeconds: 900, burstPerSecond: 1_000_000, monthlyQuota: 1_000_000 }

const describeWorkers = await describeWith(['PostgreSQL', 'Redis'], 'several workers behind one port')

describeWorkers('several workers behind one port', () => {
  let localnet: Localnet
  let redis: TestRedis

  beforeAll(async () => {
    localnet = await startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 })
    redis = await startRedis()
  })

  afterAll(async () => {
    await redis?.[Symbol.asyncDispose]()
    await localnet?.stop()
  })

  const runtimes: readonly Runtime[] = process.platform === 'linux' ? ['Node', 'Deno'] : ['Node']

  describe.each(runtimes)('on %s', (runtime) => {
    it('several workers serve one port and the port of operators, and count limits, usage and metrics together', async () => {
      const { server, preview, issue } = await start({ workers: 2, adminPort: 0, metricsPort: 0 }, runtime)
      expect(listWorkers(server.pid)).toHaveLength(2)
      const admin = createAdminClient(server.adminUrl)
      const { id, key } = await issue(50)
      expect(await admin.statsOf(id)).toMatchObject({ calls: 0 })
      const answers = await Promise.all(Array.from({ length: 120 }, () => preview(key)))
      expect(answers.filter((status) => status === 200)).toHaveLength(50)
      expect(answers.filter((status) => status === 429)).toHaveLength(70)
      await expect.poll(async () => (await admin.statsOf(id)).calls).toBe(50)
      const metrics = await readMetrics(server.adminUrl)
      expect(metrics).toMatch(/^agio_workers 2$/m)
      expect(metrics).toMatch(/^agio_requests_total\{operation="convert\.preview",status="200"\} 50$/m)
      expect(metrics).toMatch(/^agio_limits_shared 1$/m)
      expect(metrics).toMatch(/^agio_chain_node_up\{chain="84532",node="1"\} 1$/m)
      expect(await readMetrics(server.url)).toContain('svc/not-found')
      await expect(createAdminClient(server.url).issue()).rejects.toThrow('svc/unauthorized')
    })

    it('a worker that is killed is replaced, and the others serve on', async () => {
      const { server, preview, issue } = await start({ workers: 2 }, runtime)
      const { id, key } = await issue(1_000_000)
      const [victim = 0] = listWorkers(server.pid)
      const answers: number[] = []
      const over = new AbortController()
      const load = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) answers.push(await preview(key).catch(() => 0))
      })
      await expect.poll(() => answers.length).toBeGreaterThan(100)
      process.kill(victim, 'SIGKILL')
      await expect
        .poll(() => {
          const workers = listWorkers(server.pid)
          return workers.length === 2 && !workers.includes(victim)
        }, eventually)
        .toBe(true)
      await waitForWorkers(server.url)
      over.abort()
      await Promise.all(load)
      // Requests that the killed worker had read, and those on connections that it had not accepted yet, are lost with it.
      const lost = answers.filter((status) => status !== 200)
      expect(lost.length).toBeLessThan(10)
      expect(new Set(lost)).toEqual(lost.length > 0 ? new Set([0]) : new Set())
      const admin = createAdminClient(server.url)
      const counted = async () => (await admin.statsOf(id)).calls
      // The killed worker wrote its calls within 150 ms of each.
      await expect.poll(counted).toBeGreaterThan(answers.length / 3)
      expect(await counted()).toBeLessThanOrEqual(answers.length)
    })

    it('SIGTERM answers the requests in flight, writes all usage, and leaves no process', async () => {
      const { server, preview, issue, database } = await start({ workers: 3 }, runtime)
      const { key } = await issue(1_000_000)
      const workers = listWorkers(server.pid)
      const statuses = await Promise.all(Array.from({ length: 300 }, () => preview(key)))
      expect(new Set(statuses)).toEqual(new Set([200]))
      await server.stop()
      expect(await server.exited).toBe(0)
      expect(workers.filter(isRunning)).toEqual([])
      const [counted] = await database.query<{ calls: string }>(
        "select sum(calls) as calls from usage where operation = 'convert.preview'",
      )
      expect(Number(counted?.calls)).toBe(300)
    })

    it('the workers of a supervisor that is killed stop', async () => {
      const { server } = await start({ workers: 2 }, runtime)
      const workers = listWorkers(server.pid)
      await server.kill()
      await expect.poll(() => workers.filter(isRunning)).toEqual([])
    })

    it('a worker that starts while its supervisor is killed stops', async () => {
      const { server } = await start({ workers: 2 }, runtime)
      const workers = await replaceWorker(server.pid)
      await server.kill()
      await expect.poll(() => workers.filter(isRunning)).toEqual([])
    })

    it('a worker that is told to stop is replaced', async () => {
      const { server } = await start({ workers: 2, drainMs: 0 }, runtime)
      const [stopped = 0] = listWorkers(server.pid)
      process.kill(stopped, 'SIGTERM')
      await expect.poll(() => isRunning(stopped)).toBe(false)
      await waitForWorkers(server.url)
    })

    it('a worker that hangs is killed and replaced, and the metrics are served meanwhile', async () => {
      const metricsPort = await findFreePort()
      const { server } = await start({ workers: 2, metricsPort }, runtime)
      const [hung = 0] = listWorkers(server.pid)
      process.kill(hung, 'SIGSTOP')
      const reads = Array.from({ length: 8 }, () => readMetrics(`http://127.0.0.1:${metricsPort}`))
      for (const metrics of await Promise.all(reads)) expect(metrics).toMatch(/^agio_workers 1$/m)
      await expect.poll(() => isRunning(hung)).toBe(false)
      await waitForWorkers(server.url)
      expect(listWorkers(server.pid)).not.toContain(hung)
    })

    it('SIGTERM while a replacement starts ends all processes with exit code 0', async () => {
      const { server } = await start({ workers: 2 }, runtime)
      const workers = await replaceWorker(server.pid)
      await server.stop()
      expect(await server.exited).toBe(0)
      expect(workers.filter(isRunning)).toEqual([])
    })

    it.each([
      ['start', false],
      ['start, and one is paused,', true],
    ])('SIGTERM while the first workers %s ends all processes with exit code 0', async (_, isPaused) => {
      await using database = await createDatabase()
      const settings = settingsFor(localnet, { workers: 2, databaseUrl: database.url, redisUrl: redis.url })
      const [command, ...args] = toServerCommand(runtime, settings)
      const child = spawn(command, args, { env: { ...process.env, ...toEnvironment(settings) }, stdio: 'ignore' })
      killOnExit(child)
      const exited = once(child, 'exit')
      await vi.waitUntil(() => listWorkers(child.pid ?? 0).length === 2, eventually)
      const workers = listWorkers(child.pid ?? 0)
      if (isPaused) process.kill(workers[0] ?? 0, 'SIGSTOP')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      expect(workers.filter(isRunning)).toEqual([])
    })

    it('the lines that several workers log to one file are whole', async () => {
      await using database = await createDatabase()
      const port = await findFreePort()
      const shared = { workers: 2, databaseUrl: database.url, redisUrl: redis.url, logLevel: 'info' } as const
      const settings = settingsFor(localnet, { ...shared, port })
      const file = join(await mkdtemp(join(inject('runFolder'), 'log-')), 'log')
      const stdio = openSync(file, 'w')
      onTestFinished(() => closeSync(stdio))
      const keys = { 'x-api-key': '', 'x-admin-key': adminKey }
      const options = { url: `http://127.0.0.1:${port}`, keys, env: toEnvironment(settings) }
      await using service = startWithOutput(toServerCommand(runtime, settings), { stdio }, options)
      const readLines = () => readFileSync(file, 'utf8').trimEnd().split('\n')
      await vi.waitUntil(() => readLines().some((line) => line.startsWith('ready ')), eventually)
      // Requests without a valid key have a limit.
      keys['x-api-key'] = (await createAdminClient(options.url).issue(roomy)).key
      for (let sent = 0; sent < 2000; sent += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, index) => service.get(`/api/v1/absent/${sent + index}`)))
      }
      expect(await service.stop()).toBe(0)
      const logged = readLines().filter((line) => line.includes('/absent/'))
      expect(logged).toHaveLength(2000)
      for (const line of logged) JSON.parse(line)
      expect(new Set(logged.map((line) => /absent\/(\d+)/.exec(line)?.[1])).size).toBe(2000)
    })

    it('error: a port that is taken ends the start of all workers', async () => {
      const { server, settings } = await start({ workers: 2 }, runtime)
      const port = Number(new URL(server.url).port)
      await expect(startServerProcess({ ...settings, port }, runtime)).rejects.toThrow(
        `Cannot serve on port ${port}: the port is taken`,
      )
    })
  })

  /** Starts the service with its own database, until the test ends. */
  async function start(changes: SettingsChanges, runtime: Runtime) {
    const database: TestDatabase = await createDatabase()
    onTestFinished(() => database[Symbol.asyncDispose]())
    const settings = settingsFor(localnet, {
      ...changes,
      databaseUrl: database.url,
      redisUrl: redis.url,
      phase: 'production',
    })
    const server: ServerProcess = await startServerProcess(settings, runtime)
    onTestFinished(async () => {
      const workers = listWorkers(server.pid)
      await server.kill()
      // Their connections would keep the database from being dropped.
      await vi.waitFor(() => expect(workers.filter(isRunning)).toEqual([]), eventually)
    })
    const body = JSON.stringify(validInputs(localnet.chains[84532])['convert.preview'])
    return {
      server,
      settings,
      database,
      issue: (requests: number) => createAdminClient(server.adminUrl).issue({ ...roomy, requests }),
      async preview(key: string): Promise<number> {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' }
        const answer = await request(`${server.url}/api/v1/convert/preview`, { method: 'POST', headers, body })
        await answer.body.dump()
        return answer.statusCode
      },
    }
  }
})

function listWorkers(supervisor: number): readonly number[] {
  return listProcesses(supervisor).slice(1)
}

/** Waits until both workers serve after one of them was replaced. */
async function waitForWorkers(url: string): Promise<void> {
  const read = () => readMetrics(url).catch(() => '')
  await expect.poll(read, eventually).toMatch(/^agio_workers 2$/m)
}

/** Kills a worker, and returns all workers once its replacement is a process. */
async function replaceWorker(supervisor: number): Promise<readonly number[]> {
  const started = listWorkers(supervisor)
  process.kill(started[0] as number, 'SIGKILL')
  const isReplaced = () => listWorkers(supervisor).some((worker) => !started.includes(worker))
  await vi.waitUntil(isReplaced, eventually)
  return listWorkers(supervisor)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function readMetrics(url: string): Promise<string> {
  const answer = await request(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  return await answer.body.text()
}
