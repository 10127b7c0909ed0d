import { randomBytes } from 'node:crypto'
import { openStore, type Store } from '@agio/store'
import { createKeyring } from '@agio/store/testing'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { createTestLog } from './createTestLog.ts'
import { dumpDatabase, runSql, withDatabase } from './dumpDatabase.ts'
import { listDatabases } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

const databases = await listDatabases('secrets at rest')
const describePostgres = await describeWith(['PostgreSQL'], 'secrets at rest of several processes')

const [keyA, keyB] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const idOf = (key: string) => createKeyring([key]).keyId ?? ''
const receiver = { url: 'https://shop.example/hooks', events: ['transaction.included'] }
const claim = { limit: 10, leaseMs: 60_000 }

type Location = openStore.Options['location']

/** Opens a store with master keys, and returns what `work` returns. */
async function withStore<Result>(
  location: Location,
  masterKeys: readonly string[],
  work: (store: Store, log: ReturnType<typeof createTestLog>) => Promise<Result>,
): Promise<Result> {
  const log = createTestLog()
  const store = await openStore({ location, masterKeys, log })
  try {
    return await work(store, log)
  } finally {
    await store.close()
  }
}

const query = (location: Location, statement: string) =>
  withDatabase(location, (db) => runSql<Readonly<Record<string, string>>>(db, statement))
const dump = (location: Location) => withDatabase(location, dumpDatabase)

/** Asserts that a text contains none of the secrets, in no encoding. */
function expectWithout(content: string, secrets: readonly (string | Uint8Array)[]): void {
  for (const secret of secrets) {
    const bytes =
      typeof secret === 'string' ? Buffer.from(secret.replace(/^wh\w+_/, ''), 'base64') : Buffer.from(secret)
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      expect(content.toLowerCase()).not.toContain(bytes.toString(form).toLowerCase())
    }
  }
}

/** Creates a webhook whose secret was rotated and one with a private key, and returns all secrets of the store. */
async function fill({ keys, webhooks, quoteSecrets }: Store) {
  const { key } = await keys.create(shop, actor)
  const { id, secret: oldSecret } = await webhooks.create(key.id, receiver)
  const { secret } = await webhooks.rotate(key.id, id)
  const { secret: privateKey } = await webhooks.create(key.id, { ...receiver, signature: 'v1a' })
  const signing = [secret, oldSecret]
  return { keyId: key.id, webhookId: id, signing, privateKey, quoteSecret: quoteSecrets.current() }
}

const listSecrets = ({ signing, privateKey, quoteSecret }: Awaited<ReturnType<typeof fill>>) => [
  ...signing,
  privateKey,
  quoteSecret.secret,
]

const addEvent = (location: Location, webhookId: string) =>
  query(
    location,
    `insert into webhook_deliveries (id, webhook_id, subject, type, payload)
    values ('msg_${randomBytes(4).toString('hex')}', '${webhookId}', 'a', 'transaction.included', '{}')`,
  )

describe.each(databases)('secrets at rest on $name', ({ create }) => {
  it('with a master key no row contains a secret, whether it was stored before or after', async () => {
    await using place = await create()
    const before = await withStore(place.location, [], fill)
    expect(await dump(place.location)).toContain(before.signing[0])
    await addEvent(place.location, before.webhookId)
    const after = await withStore(place.location, [keyA], async (store, log) => {
      expect(store.quoteSecrets.current()).toMatchObject({
        id: before.quoteSecret.id,
        secret: before.quoteSecret.secret,
      })
      const [delivery] = await store.webhooks.deliveries.claim(claim)
      expect(delivery?.secrets).toEqual(before.signing)
      const { id } = await store.quoteSecrets.rotate(actor)
      expect(log.entries).toMatchObject([{ level: 'info', fields: { count: 3, keyId: idOf(keyA) } }])
      return { ...(await fill(store)), rotated: await store.quoteSecrets.find(id) }
    })
    const secrets = [before, after].flatMap(listSecrets)
    expectWithout(await dump(place.location), [...secrets, after.rotated?.secret ?? ''])
  })

  it('a master key is replaced by two restarts: one with both keys and one with the new key', async () => {
    await using place = await create()
    const { webhookId, signing, quoteSecret } = await withStore(place.location, [keyA], fill)
    for (const masterKeys of [[keyB, keyA], [keyB]]) {
      await addEvent(place.location, webhookId)
      await withStore(place.location, masterKeys, async (store, log) => {
        expect(store.quoteSecrets.current()).toMatchObject({ id: quoteSecret.id, secret: quoteSecret.secret })
        const [delivery] = await store.webhooks.deliveries.claim(claim)
        expect(delivery?.secrets).toEqual(signing)
        if (delivery) await store.webhooks.deliveries.finish(delivery, { outcome: 'delivered', status: 200 })
        expect(log.errors()).toEqual([])
      })
      expect(await dump(place.location)).not.toContain(`enc:v1:${idOf(keyA)}:`)
    }
  })

  it.each([
    ['without the master key', []],
    ['with another master key', [keyB]],
  ])('a process %s names it, signs with no other secret, and changes no row', async (_, masterKeys) => {
    await using place = await create()
    const { keyId, webhookId, signing, quoteSecret } = await withStore(place.location, [keyA], fill)
    await addEvent(place.location, webhookId)
    const stored = 'select id, secret from quote_secrets union all select id, secret from webhooks order by id'
    const rows = await query(place.location, stored)
    const added = await withStore(place.location, masterKeys, async ({ quoteSecrets, webhooks }, log) => {
      const refusal = { code: 'svc/storage-unavailable', message: expect.stringContaining(idOf(keyA)) as string }
      expect(() => quoteSecrets.current()).toThrow(expect.objectContaining(refusal))
      await expect((async () => await quoteSecrets.find(quoteSecret.id))()).rejects.toMatchObject(refusal)
      await expect(webhooks.rotate(keyId, webhookId)).rejects.toMatchObject(refusal)
      expect(await webhooks.deliveries.claim(claim)).toEqual([])
      expect(await webhooks.list(keyId)).toMatchObject([
        { publicKey: expect.stringMatching(/^whpk_/) as string },
        { id: webhookId },
      ])
      expect(log.entries).toMatchObject([{ level: 'error', fields: { missing: [idOf(keyA)] } }])
      return await webhooks.create(keyId, receiver)
    })
    await query(place.location, `delete from webhooks where id = '${added.id}'`)
    expect(await query(place.location, stored)).toEqual(rows)
    await withStore(place.location, [keyA], async ({ quoteSecrets, webhooks }) => {
      expect(quoteSecrets.current()).toMatchObject({ id: quoteSecret.id, secret: quoteSecret.secret })
      expect((await webhooks.deliveries.claim(claim))[0]?.secrets).toEqual(signing)
    })
  })

  it('a secret that was moved to another row signs nothing, and the other rows continue to work', async () => {
    await using place = await create()
    const [one, other] = await withStore(place.location, [keyA], async (store) => [
      await fill(store),
      await fill(store),
    ])
    await query(
      place.location,
      `update webhooks set secret = (select secret from webhooks where id = '${other.webhookId}') where id = '${one.webhookId}'`,
    )
    for (const { webhookId } of [one, other]) await addEvent(place.location, webhookId)
    await withStore(place.location, [keyA], async ({ webhooks }) => {
      const deliveries = await webhooks.deliveries.claim(claim)
      expect(deliveries).toHaveLength(2)
      expect(deliveries.map(({ secrets }) => secrets)).toEqual(expect.arrayContaining([[], other.signing]))
      expect(deliveries.find(({ secrets }) => secrets.length === 0)?.unreadable?.message).toContain(one.webhookId)
    })
  })
})

describePostgres('secrets at rest of several processes', () => {
  it('processes that start together encrypt each secret once, and read secrets in both forms', async () => {
    await using database = await createDatabase()
    const location = { url: database.url }
    const { keyId, webhookId, signing, quoteSecret } = await withStore(location, [], fill)
    await using stores = new AsyncDisposableStack()
    const openFor = async (masterKeys: readonly string[]) =>
      stores.adopt(await openStore({ location, masterKeys, log: createTestLog() }), (store) => store.close())
    const [plain, ...encrypting] = await Promise.all([openFor([]), openFor([keyA]), openFor([keyA]), openFor([keyA])])
    await database.query(`insert into webhook_deliveries (id, webhook_id, subject, type, payload)
      values ('msg_1', '${webhookId}', 'a', 'transaction.included', '{}')`)
    for (const { quoteSecrets } of encrypting)
      expect(quoteSecrets.current()).toMatchObject({ id: quoteSecret.id, secret: quoteSecret.secret })
    expect((await encrypting[0].webhooks.deliveries.claim(claim))[0]?.secrets).toEqual(signing)
    const { secret } = await plain.webhooks.create(keyId, receiver)
    expect(secret).toMatch(/^whsec_/)
    await stores.disposeAsync()
    await withStore(location, [keyA], async () => {})
    expectWithout(await dump(location), [...signing, secret, quoteSecret.secret])
  })

  it('no statement and no log contains a secret once a master key is set', async () => {
    await using database = await createDatabase()
    const before = await withStore({ url: database.url }, [], fill)
    await using proxy = await startTcpProxy(database.url)
    const sent = proxy.record()
    const [after, logged] = await withStore({ url: proxy.url }, [keyA], async (store, log) => {
      await store.quoteSecrets.rotate(actor)
      return [await fill(store), log.dump()] as const
    })
    const content = Buffer.concat(sent).toString('latin1') + logged
    expect(content).toContain(`enc:v1:${idOf(keyA)}:`)
    const secrets = [before, after].flatMap(listSecrets)
    expectWithout(content, [...secrets, keyA])
  })
})
