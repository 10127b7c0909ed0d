import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import process from 'node:process'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import type { Settings } from '@agio/server'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { killOnExit } from '../harness/killOnExit.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { toEnvironment, toServerCommand } from '../harness/startServerProcess.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'

const described = await describeWith(['PostgreSQL'], 'a service that waits for a migration')

described('a service that waits for the migration of another process', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))

  it.each(['Node', 'Deno'] as const)(
    'on %s it says what it waits for, is live and unavailable, and then serves on the same port',
    async (runtime) => {
      await using database = await createDatabase()
      await using other = await lockMigrations(database.url)
      const [port, metricsPort, adminPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
      const ports = { port, metricsPort, adminPort }
      const { child, lines, errors } = start(runtime, settingsFor(localnet, { databaseUrl: database.url, ...ports }))
      // A process that ends instead says why.
      await expect
        .poll(() => [...lines, ...errors][0] ?? '', eventually)
        .toMatch(/^starting: waiting for another process that migrates/)
      const url = `http://127.0.0.1:${port}`
      await expect
        .poll(
          () =>
            fetch(`${url}/health/live`).then(
              ({ status }) => status,
              () => 0,
            ),
          eventually,
        )
        .toBe(200)
      for (const otherPort of [metricsPort, adminPort])
        expect((await fetch(`http://127.0.0.1:${otherPort}/health/live`)).status).toBe(200)
      const others = [`http://127.0.0.1:${metricsPort}/metrics`, `http://127.0.0.1:${adminPort}/api/v1/admin/keys`]
      for (const unavailable of [
        ...['/health/ready', '/health', '/api/v1/pools', '/'].map((path) => `${url}${path}`),
        ...others,
      ]) {
        const response = await fetch(unavailable)
        expect(response.status).toBe(503)
        expect(response.headers.get('retry-after')).toBe('1')
        expect(await response.json()).toMatchObject({ success: false, code: 'svc/storage-unavailable' })
      }
      await other.end()
      await expect.poll(() => lines.at(-1), eventually).toBe(`ready on ${url}`)
      expect((await fetch(`${url}/health/ready`)).status).toBe(200)
      expect((await fetch(others[0] ?? '')).status).toBe(200)
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  )

  it('after two minutes of waiting it ends with the reason', async () => {
    await using database = await createDatabase()
    await using other = await lockMigrations(database.url)
    const { child, lines, errors } = start('Node', settingsFor(localnet, { databaseUrl: database.url, port: 0 }))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(/^starting: waiting for another process .*, for at most 2 minutes$/)])
    expect(errors.join('')).toMatch(
      /^Cannot open the database of DATABASE_URL: it is still waiting for another process that migrates .* after 2 minutes\n$/,
    )
    expect((await other.query('select 1')).rowCount).toBe(1)
  })
})

/** Starts a process of the service. Keeps what it prints. */
function start(runtime: 'Node' | 'Deno', settings: Settings) {
  const [command, ...args] = toServerCommand(runtime, settings)
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const env = { ...process.env, ...toEnvironment(settings) }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  killOnExit(child)
  const [lines, errors]: [string[], string[]] = [[], []]
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  child.stderr.on('data', (data: Buffer) => errors.push(String(data)))
  return { child, lines, errors }
}

async function lockMigrations(connectionString: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query('select pg_advisory_lock(2108453242)')
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
