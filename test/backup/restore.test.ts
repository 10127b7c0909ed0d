import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Network } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import type { Settings } from '@agio/server'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createAgioAdmin, readAllKeys, verifyAuditLog } from '../../packages/sdk/src/admin.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith, getBinary } from '../harness/findServices.ts'
import { adminKey, operatorKeys, settingsFor } from '../harness/settingsFor.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { startServerProcess, type Runtime } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { readCustomer, readStatus, startOperatorLoad, type Customer } from './startOperatorLoad.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const ofTheTemplate = 'key_test'
const masterKey = randomBytes(32).toString('base64')
const describeDrill = await describeWith(
  ['PostgreSQL', 'PostgreSQL binaries', 'PostgreSQL client'],
  'the restore of a backup',
)

describeDrill('a restored backup', () => {
  let localnet: Localnet
  let folder: string
  beforeAll(async () => {
    localnet = await startTestLocalnet({ onDisk: true })
    folder = await mkdtemp(join(inject('diskFolder'), 'agio-backup-'))
  })
  afterAll(async () => {
    await localnet?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (runtime: Runtime, changes: Partial<Settings>) =>
    startServerProcess(settingsFor(localnet, { ...changes, masterKeys: [masterKey], logLevel: 'info' }), runtime)

  /**
   * Makes a copy while customers are added, restores it, and asserts that the restored service has everything that was answered
   * before the copy began, and nothing that was not sent until it ended.
   */
  async function drill(runtime: Runtime, place: Place) {
    const chain = localnet.chains[Network.defaultChainId]
    const { userAddress } = validInputs(chain)['convert.quote']
    await using service = await start(runtime, place.settings)
    const admin = createAdminClient(service.url)
    const load = startOperatorLoad(service.url, chain)
    await expect.poll(() => load.list().length).toBeGreaterThan(20)
    const [revoked, kept] = [await admin.issue(), await admin.issue()]
    await admin.revoke(revoked.id)
    const audit = createAgioAdmin({ url: service.url, adminKey }).audit
    const before = { customers: load.list(), events: (await audit.query({ limit: 1 })).newest.position }
    const copy = await place.copy(service.url, before.customers)
    await admin.revoke(kept.id)
    const { key: rotated } = await admin.rotate(before.customers[0]?.id ?? '', 0)
    const later = await load.end()
    const answered = await Promise.all(before.customers.map((one) => readCustomer(service.url, one, userAddress)))
    await service.stop()

    await using restored = await start(runtime, await place.restore(copy))
    const operator = createAgioAdmin({ url: restored.url, adminKey })
    const { keys } = await readAllKeys((page) => operator.keys.list.query({ page }))
    const sent = new Set([...later.map(({ id }) => id), revoked.id, kept.id, ofTheTemplate])
    expect(keys.filter(({ id }) => !sent.has(id))).toEqual([])
    const [first, ...others] = await Promise.all(
      before.customers.map((one) => readCustomer(restored.url, one, userAddress)),
    )
    expect(others[0]).toMatchObject({ webhooks: [before.customers[1]?.webhookId], buildStatus: 200 })
    expect(others.map(withoutCalls)).toEqual(answered.slice(1).map(withoutCalls))
    // Two before the copy, and the one that reads them.
    expect(others.every(({ calls }) => calls === 3)).toBe(true)
    expect(first, 'the secret before the rotation works again').toMatchObject({ buildStatus: 200 })
    expect(await readStatus(restored.url, rotated), 'the secret of the rotation is unknown').toBe(401)
    expect(await readStatus(restored.url, revoked.key), 'a revocation before the copy holds').toBe(403)
    expect(await readStatus(restored.url, kept.key), 'a revocation after the copy is undone').toBe(200)
    const verified = await verifyAuditLog((page) => operator.audit.query(page))
    expect(verified.fault).toBeUndefined()
    expect(verified.count).toBeGreaterThanOrEqual(before.events)
    expect(restored.lines.filter((line) => line.includes('"level":50'))).toEqual([])
    const { events } = await operator.audit.query({ operation: 'admin.backups.create' })
    return { events, copy }
  }

  it.each(inject('extent') === 'nightly' ? (['Node', 'Deno'] as const) : (['Node'] as const))(
    'of the embedded database, copied by agio backup on %s under load, has every key, count, quote, webhook and event, and no secret',
    async (runtime) => {
      const backupDir = join(folder, runtime)
      const restoredDir = join(folder, `${runtime}-restored`)
      const { events, copy } = await drill(runtime, {
        settings: { backupDir },
        async copy(url) {
          const env = { ...process.env, AGIO_URL: url, ADMIN_KEY: operatorKeys.backup }
          const args = ['packages/cli/src/main.ts', 'backup', '--json']
          const { stdout } = await run(process.execPath, args, { cwd: root, env })
          return join(backupDir, (JSON.parse(stdout) as { file: string }).file)
        },
        async restore(file) {
          await mkdir(restoredDir, { mode: 0o700 })
          await run('tar', ['-xzf', file, '-C', restoredDir])
          return { dataDir: restoredDir }
        },
      })
      expect(await readdir(backupDir)).toEqual([copy.slice(backupDir.length + 1)])
      expect((await stat(copy)).mode & 0o077, 'other users cannot read the file').toBe(0)
      const bytes = await promisify(gunzip)(await readFile(copy))
      expect(bytes.includes('agio_sk_'), 'prefixes of keys').toBe(true)
      expect(bytes.includes(masterKey)).toBe(false)
      expect(bytes.includes('whsec_')).toBe(false)
      expect(events).toMatchObject([{ operator: 'backup-only', target: copy.slice(backupDir.length + 1), fields: [] }])
    },
  )

  it('of PostgreSQL, copied by pg_dump under load, has every key, count, quote, webhook and event', async () => {
    // Of the same version as pg_dump, which refuses a newer server.
    await using server = await startPostgres()
    await using database = await createDatabase(server.url)
    await using empty = await createDatabase(server.url)
    const file = join(folder, 'agio.dump')
    await drill('Node', {
      settings: { databaseUrl: database.url },
      async copy(_, customers) {
        // Calls are written to the database within a moment. Only agio backup writes them first.
        const count = 'select coalesce(sum(calls), 0)::int as calls from usage where key_id = any($1)'
        const read = () => database.query<{ calls: number }>(count, [customers.map(({ id }) => id)])
        await expect.poll(async () => (await read())[0]?.calls).toBe(2 * customers.length)
        await run(getBinary('pg_dump'), ['--format=custom', `--file=${file}`, database.url])
        return file
      },
      async restore() {
        await run(getBinary('pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${empty.url}`, file])
        return { databaseUrl: empty.url }
      },
    })
  })

  it.each([
    ['on PostgreSQL names pg_dump', true, 'Use pg_dump'],
    ['without a folder names the setting', false, 'Set BACKUP_DIR'],
  ])('a backup %s', async (_, isPostgres, reason) => {
    await using database = await createDatabase()
    await using service = await start('Node', isPostgres ? { databaseUrl: database.url, backupDir: folder } : {})
    const admin = createAgioAdmin({ url: service.url, adminKey })
    await expect(admin.backups.create.mutate({})).rejects.toThrow(reason)
    expect((await admin.audit.query({})).events).toEqual([])
  })
})

type Place = {
  readonly settings: Partial<Settings>
  /** Copies the database while the service uses it. Returns the file. */
  copy(url: string, customers: readonly Customer[]): Promise<string>
  /** Restores a copy. Returns the settings of a service on it. */
  restore(file: string): Promise<Partial<Settings>>
}

// The reads of the comparison count as calls, too.
const withoutCalls = ({ calls: _, ...rest }: Awaited<ReturnType<typeof readCustomer>>) => rest
