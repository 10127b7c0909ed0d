import { openStore, type Store } from '@agio/store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import { createTestLog, type TestLog } from './createTestLog.ts'
import { actor } from './shop.ts'

const describePostgres = await describeWith(['PostgreSQL'], 'quotes that several processes share')

// Each process polls once a second, which the unit test of the poll proves. This test only proves that the change arrives.

describePostgres('quotes that several processes share', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let log: TestLog
  let stores: readonly [Store, Store, Store]
  beforeAll(async () => {
    database = await createDatabase()
    proxy = await startTcpProxy(database.url)
    log = createTestLog()
    const open = (url: string) => openStore({ location: { url }, log })
    stores = await Promise.all([open(database.url), open(database.url), open(proxy.url)])
  })
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await proxy[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  it('processes that open one database sign quotes with one secret', async () => {
    const [one, ...others] = stores.map(({ quoteSecrets }) => quoteSecrets.current())
    for (const other of others) expect(other).toMatchObject({ id: one?.id, secret: one?.secret })
  })

  it('a rotated secret reaches the memory of the other processes before it signs', async () => {
    const [one, ...others] = stores
    const before = one.quoteSecrets.current()
    const { id } = await one.quoteSecrets.rotate(actor)
    for (const { quoteSecrets } of others) {
      // From memory: a promise would be a look-up.
      await expect.poll(() => quoteSecrets.find(id), eventually).toMatchObject({ id })
      expect(quoteSecrets.current().id).toBe(before.id)
      expect(quoteSecrets.find(before.id)).toMatchObject({ id: before.id, secret: before.secret })
    }
    // As if the minute had passed for the database.
    await database.query(`update quote_secrets set signs_from = signs_from - interval '1 minute'`)
    for (const { quoteSecrets } of stores) {
      await expect.poll(() => quoteSecrets.current().id, eventually).toBe(id)
    }
  })

  it('a pause of quotes reaches the other processes, and so does its end', async () => {
    const [one, ...others] = stores
    const pair = { chainId: 84532, tokens: ['0xaaa', '0xbbb'] } as const
    await one.quotePauses.pause(pair, actor)
    for (const { quotePauses } of others) {
      await expect.poll(() => quotePauses.isPaused(pair), eventually).toBe(true)
    }
    await one.quotePauses.resume(pair, actor)
    for (const { quotePauses } of others) {
      await expect.poll(() => quotePauses.isPaused(pair), eventually).toBe(false)
    }
  })

  it('while the database is unavailable known secrets sign and verify from memory, and pauses hold', async () => {
    const { quoteSecrets, quotePauses, state } = stores[2]
    const pair = { chainId: 84532, tokens: ['0xaaa', '0xbbb'] } as const
    await quotePauses.pause(pair, actor)
    const current = quoteSecrets.current()
    await proxy.cut()
    await expect.poll(() => state(), eventually).toBe('unreachable')
    expect(quoteSecrets.current()).toEqual(current)
    expect(quoteSecrets.find(current.id)).toEqual(current)
    expect(quotePauses.isPaused(pair)).toBe(true)
    const unavailable = { code: 'svc/storage-unavailable' }
    for (const call of [
      async () => await quoteSecrets.find('unknown-id-1'),
      async () => await quoteSecrets.find('unknown-id-2'),
      () => quoteSecrets.rotate(actor),
      () => quotePauses.resume(pair, actor),
      () => quotePauses.list(),
    ]) {
      await expect(call(), call.toString()).rejects.toMatchObject(unavailable)
    }
    await proxy.restore()
    const { id } = await stores[0].quoteSecrets.rotate(actor)
    expect(id).not.toBe(current.id)
    await expect.poll(() => state(), eventually).toBe('ok')
    expect(await quoteSecrets.find(id)).toMatchObject({ id })
    expect(log.entries.length).toBeGreaterThan(0)
    for (const { secret } of [current, quoteSecrets.current()]) {
      for (const form of ['base64', 'base64url', 'hex'] as const) {
        expect(log.dump()).not.toContain(Buffer.from(secret).toString(form))
      }
    }
  })
})
