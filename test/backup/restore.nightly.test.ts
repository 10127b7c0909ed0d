import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Network } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import type { Settings } from '@agio/server'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createAgioAdmin, readAllKeys, verifyAuditLog } from '../../packages/sdk/src/admin.ts'
import type { Caller } from '../harness/Caller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { describeWith, getBinary } from '../harness/findServices.ts'
import { adminKey, apiKey, operatorKeys, settingsFor } from '../harness/settingsFor.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { startServerProcess, type Runtime } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startReceiver } from '../webhooks/startReceiver.ts'

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
    startServerProcess(
      settingsFor(localnet, { ...changes, masterKeys: [masterKey], logLevel: 'info', webhookTargets: 'local' }),
      runtime,
    )

  /**
   * Makes a copy while customers are added, restores it, and asserts that the restored service has everything that was answered
   * before the copy began, and nothing that was not sent until it ended.
   */
  async function drill(runtime: Runtime, place: Place) {
    const chain = localnet.chains[Network.defaultChainId]
    const { userAddress } = validInputs(chain)['convert.quote']
    await using service = await start(runtime, place.settings)
    const admin = createAdminClient(service.url)
    await using receiver = await startReceiver()
    receiver.setAnswer(({ url }, response) => response.writeHead(url.includes('/gone/') ? 410 : 204).end())
    const load = startOperatorLoad(service.url, chain, receiver.url)
    await expect.poll(() => load.list().length).toBeGreaterThan(10)
    const [revoked, kept] = [await admin.issue(), await admin.issue()]
    await admin.revoke(revoked.id)
    const before = { customers: load.list(), events: await listAudit(service.url) }
    const copy = await place.copy(service.url, before.customers)
    await admin.revoke(kept.id)
    const { key: rotated } = await admin.rotate(before.customers[0]?.id ?? '', 0)
    const later = await load.end()
    const answered = await Promise.all(before.customers.map((one) => readCustomer(service.url, one, userAddress)))
    const readKeys = async (url: string) => {
      const { list } = createAgioAdmin({ url, adminKey }).keys
      return (await readAllKeys((page) => list.query({ page }))).keys
    }
    const answeredKeys = new Map((await readKeys(service.url)).map((record) => [record.id, record]))
    await service.stop()

    await using restored = await start(runtime, await place.restore(copy))
    const operator = createAgioAdmin({ url: restored.url, adminKey })
    const keys = new Map((await readKeys(restored.url)).map((record) => [record.id, record]))
    const sent = new Set([...later.map(({ id }) => id), revoked.id, kept.id, ofTheTemplate])
    expect([...keys.keys()].filter((id) => !sent.has(id))).toEqual([])
    // The first key was rotated after the copy.
    for (const { id } of before.customers.slice(1)) expect(keys.get(id)).toEqual(answeredKeys.get(id))
    const [first, ...others] = await Promise.all(
      before.customers.map((one) => readCustomer(restored.url, one, userAddress)),
    )
    const delivered = others.flatMap(({ deliveries }) => deliveries?.['deliveries'] as { status: string }[])
    expect(new Set(delivered.map(({ status }) => status))).toEqual(new Set(['delivered', 'given-up']))
    expect(delivered).toHaveLength(others.length)
    expect(others.map(withoutTime)).toEqual(answered.slice(1).map(withoutTime))
    // Those before the copy, and the one that reads them.
    expect(others.map(({ usage }) => usage?.['calls'])).toEqual(before.customers.slice(1).map(({ calls }) => calls + 1))
    expect(first?.built, 'the secret before the rotation works again').toMatchObject({ status: 200 })
    expect(await readStatus(restored.url, rotated), 'the secret of the rotation is unknown').toBe(401)
    expect(await readStatus(restored.url, revoked.key), 'a revocation before the copy holds').toBe(403)
    expect(await readStatus(restored.url, kept.key), 'a revocation after the copy is undone').toBe(200)
    const verified = await verifyAuditLog((page) => operator.audit.query(page))
    expect(verified.fault).toBeUndefined()
    expect((await listAudit(restored.url)).slice(0, before.events.length)).toEqual(before.events)
    expect(restored.lines.filter((line) => line.includes('"level":50'))).toEqual([])
    const { events } = await operator.audit.query({ operation: 'admin.backups.create' })
    return { events, copy }
  }

  it.each(['Node', 'Deno'] as const)(
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
        const counted = customers.reduce((sum, { calls }) => sum + calls, 0)
        await expect.poll(async () => (await read())[0]?.calls).toBe(counted)
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
    const changes = isPostgres ? { databaseUrl: database.url, backupDir: folder } : { ownDatabase: true }
    await using ending = new AsyncDisposableStack()
    const service = ending.adopt(await startTestServer(localnet, changes), (started) => started.stop())
    const admin = createAgioAdmin({ url: service.url, adminKey })
    await expect(admin.backups.create.mutate({})).rejects.toThrow(reason)
    expect((await admin.audit.query({})).events).toEqual([])
  })
})

/** Lists the events of an audit log, oldest first. */
async function listAudit(url: string) {
  return (await createAgioAdmin({ url, adminKey }).audit.query({ limit: 1000 })).events.toReversed()
}

type Place = {
  readonly settings: Partial<Settings>
  /** Copies the database while the service uses it. Returns the file. */
  copy(url: string, customers: readonly Customer[]): Promise<string>
  /** Restores a copy. Returns the settings of a service on it. */
  restore(file: string): Promise<Partial<Settings>>
}

/** Returns what does not depend on the time of the reading: neither the window of node requests nor the day of this call. */
function withoutTime({ usage, ...rest }: Awaited<ReturnType<typeof readCustomer>>) {
  const { nodeRequests: _, days: __, ...counts } = usage ?? {}
  return { ...rest, counts }
}

/**
 * Creates keys with webhooks, deliveries, quotes and calls, one after the other by several clients, until it ends. Some webhooks have
 * a receiver that is gone.
 */
function startOperatorLoad(url: string, chain: LocalChain, receiverUrl: string) {
  const admin = createAdminClient(url)
  const customers: Customer[] = []
  const ending = new AbortController()
  let added = 0
  const input = { ...validInputs(chain)['convert.quote'], validForSeconds: 600 }
  async function addCustomer(): Promise<void> {
    const { id, key } = await admin.issue(roomy)
    const { call, count } = countCalls(createRestCaller({ url, apiKey: key }))
    const number = ++added
    const path = number % 4 === 0 ? 'gone' : 'hooks'
    const events = [number % 2 === 0 ? 'transaction.included' : 'transaction.finalized']
    const { data: webhook } = await call('webhooks.create', { url: `${receiverUrl}/${path}/${number}`, events })
    const webhookId = String(webhook?.['id'])
    const { data: quoted } = await call('convert.quote', input)
    await call('webhooks.test', { id: webhookId })
    // What is still in flight would differ between a copy and its source.
    const listPending = () => call('webhooks.deliveries', { id: webhookId, status: 'pending' })
    await expect.poll(listPending, eventually).toMatchObject({ data: { deliveries: [] } })
    customers.push({ id, key, webhookId, quote: String(quoted?.['quote']), calls: count() })
  }
  const clients = Array.from({ length: 2 }, async () => {
    while (!ending.signal.aborted) await addCustomer()
  })
  return {
    /** The customers that have received an answer to every call. */
    list: (): readonly Customer[] => [...customers],
    async end(): Promise<readonly Customer[]> {
      ending.abort()
      await Promise.all(clients)
      return customers
    },
  }
}

/** Returns a caller that counts its calls. */
function countCalls(caller: Caller) {
  let calls = 0
  const call: Caller = (operation, input) => {
    calls += 1
    return caller(operation, input)
  }
  return { call, count: () => calls }
}

const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }

/** A key with one webhook, one delivery and one quote. */
type Customer = {
  readonly id: string
  readonly key: string
  readonly webhookId: string
  readonly quote: string
  /** The calls that were counted. */
  readonly calls: number
}

/** Reads what a service returns of a customer: counted calls, webhooks, deliveries, and the transaction that its quote builds. */
async function readCustomer(url: string, { key, quote, webhookId }: Customer, userAddress: string) {
  const call = createRestCaller({ url, apiKey: key })
  const { data: usage } = await call('usage.get', {})
  const { data: webhooks } = await call('webhooks.list', {})
  const { data: deliveries } = await call('webhooks.deliveries', { id: webhookId })
  const { status, data: built } = await call('transaction.buildConvert', { quote, userAddress })
  const { to, value, data } = built ?? {}
  return { usage, webhooks, deliveries, built: { status, to, value, data } }
}

/** Returns the status of a read with a key. */
async function readStatus(url: string, key = apiKey): Promise<number> {
  return (await createRestCaller({ url, apiKey: key })('chains.list', {})).status
}
