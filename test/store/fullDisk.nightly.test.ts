import { openStore } from '@agio/store'
import { Client } from 'pg'
import { it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { mountDisk } from '../harness/mountDisk.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { createTestLog } from './createTestLog.ts'
import { actor, shop } from './shop.ts'

const month = '2026-01'
const now = () => Date.UTC(2026, 0, 15)
const noRoom = 'less than 17 MB are free on the disk of the database'

const describeDisk = await describeWith(['tmpfs'], 'an embedded database on a full disk')

describeDisk.concurrent('an embedded database on a full disk', () => {
  it('a store on a full disk is unwritable, reads keys, and writes every count once there is room again', async ({
    expect,
  }) => {
    await using disk = await mountDisk(100)
    const log = createTestLog()
    const store = await openStore({ location: { folder: `${disk.path}/data` }, log, now })
    const [used, unused] = [await store.keys.create(shop, actor), await store.keys.create(shop, actor)]
    store.usage.count(used.key.id, 'pools.list', 5)
    await store.usage.flush()
    expect(store.state()).toBe('ok')

    await disk.fill()
    // Without a count to write, too.
    await expect.poll(() => store.state(), eventually).toBe('unwritable')
    for (let calls = 0; calls < 1000; calls += 1) store.usage.count(used.key.id, 'pools.list')
    const unwritable = { code: 'svc/storage-unavailable', message: `Cannot write keys and usage: ${noRoom}` }
    await expect(store.usage.readMonth(month, [used.key.id])).rejects.toMatchObject(unwritable)
    await expect(store.keys.create(shop, actor)).rejects.toMatchObject(unwritable)
    await expect(store.keys.revoke(used.key.id, actor)).rejects.toMatchObject(unwritable)
    expect((await store.keys.find(unused.secret))?.status, 'a key that is not in memory is found').toBe('active')
    expect(store.usage.countUnwritten()).toBe(1000)
    expect(log.errors()).toEqual(['cannot write usage: it stays in memory until a retry succeeds'])

    await disk.free()
    await expect.poll(() => store.state(), eventually).toBe('ok')
    expect(await store.usage.readCalls(used.key.id, month)).toBe(1005)
    expect(store.usage.countUnwritten()).toBe(0)
    await store.close()
  })

  it('error: a database is not opened on a full disk, and opened once there is room', async ({ expect }) => {
    await using disk = await mountDisk(100)
    const open = () => openStore({ location: { folder: `${disk.path}/data` }, log: createTestLog(), now })
    await (await open()).close()
    await disk.fill()
    const message = `Cannot open the database in ${disk.path}/data: `
    await expect(open()).rejects.toThrow(message)
    await disk.free()
    await (await open()).close()
  })

  it('error: a new database is not created on a disk that is too small for it', async ({ expect }) => {
    await using disk = await mountDisk(50)
    const opened = openStore({ location: { folder: `${disk.path}/data` }, log: createTestLog(), now })
    await expect(opened).rejects.toThrow('less than 60 MB are free on its disk')
  })
})

const describePostgres = await describeWith(['PostgreSQL binaries'], 'a PostgreSQL that is read-only')

describePostgres.concurrent('a PostgreSQL that is read-only', () => {
  it('a store on a read-only PostgreSQL is unwritable, reads keys, and writes every count once it can', async ({
    expect,
  }) => {
    await using server = await startPostgres()
    const operator = new Client({ connectionString: server.url })
    await operator.connect()
    const setReadOnly = async (value: 'on' | 'off') => {
      await operator.query(`alter system set default_transaction_read_only = ${value}`)
      await operator.query('select pg_reload_conf()')
    }
    const store = await openStore({ location: { url: server.url }, log: createTestLog(), now })
    const { key, secret } = await store.keys.create(shop, actor)
    await setReadOnly('on')
    let counted = 0
    const countAndFlush = async () => {
      store.usage.count(key.id, 'pools.list')
      counted += 1
      return await store.usage.flush().then(
        () => 'written',
        (error: Error) => error.message,
      )
    }
    await expect.poll(countAndFlush, eventually).toBe('Cannot write keys and usage: the database is read-only')
    expect(store.state()).toBe('unwritable')
    expect((await store.keys.find(secret))?.status).toBe('active')
    await setReadOnly('off')
    await expect.poll(() => store.state(), eventually).toBe('ok')
    expect(await store.usage.readCalls(key.id, month)).toBe(counted)
    await store.close()
    await operator.end()
  })
})
