import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import process from 'node:process'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Localnet } from '@agio/localnet'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { killOnExit } from '../harness/killOnExit.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { toEnvironment, toServerCommand } from '../harness/startServerProcess.ts'

const described = await describeWith(['PostgreSQL'], 'a service that waits for a migration')

described('a service that waits for the migration of another process', () => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 })
  })
  afterAll(() => localnet?.stop())

  it.each(['Node', 'Deno'] as const)(
    'on %s it says what it waits for, is live and unavailable, and then serves on the same port',
    async (runtime) => {
      await using database = await createDatabase()
      const other = new Client({ connectionString: database.url })
      await other.connect()
      await other.query('select pg_advisory_lock(2108453242)')
      const port = await findFreePort()
      const settings = settingsFor(localnet, { databaseUrl: database.url, port })
      const [command, ...args] = toServerCommand(runtime, settings)
      const cwd = fileURLToPath(new URL('../..', import.meta.url))
      const env = { ...process.env, ...toEnvironment(settings) }
      const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
      killOnExit(child)
      const lines: string[] = []
      createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
      const timeout = { timeout: 30_000 }
      await expect.poll(() => lines[0], timeout).toMatch(/^starting: waiting for another process that migrates/)
      const url = `http://127.0.0.1:${port}`
      await expect
        .poll(
          () =>
            fetch(`${url}/health/live`).then(
              ({ status }) => status,
              () => 0,
            ),
          timeout,
        )
        .toBe(200)
      for (const path of ['/health/ready', '/health', '/api/v1/pools', '/']) {
        const response = await fetch(`${url}${path}`)
        expect(response.status).toBe(503)
        expect(response.headers.get('retry-after')).toBe('1')
        expect(await response.json()).toMatchObject({ success: false, code: 'svc/storage-unavailable' })
      }
      await other.end()
      await expect.poll(() => lines.at(-1), timeout).toBe(`ready on ${url}`)
      expect((await fetch(`${url}/health/ready`)).status).toBe(200)
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  )
})
