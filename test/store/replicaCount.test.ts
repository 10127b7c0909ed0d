import { openStore } from '@agio/store'
import { expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { createTestLog } from './createTestLog.ts'
import { createFolder } from './listDatabases.ts'

const describePostgres = await describeWith(['PostgreSQL'], 'the number of processes that share a database')

describePostgres('processes that share a PostgreSQL', () => {
  it('processes that share a database count each other, and no longer count one that is closed or silent', async () => {
    await using database = await createDatabase()
    const open = () => openStore({ location: { url: database.url }, log: createTestLog() })
    const one = await open()
    expect(one.countReplicas(), 'a process counts itself').toBe(1)
    const [two, three] = await Promise.all([open(), open()])
    for (const store of [one, two, three]) await expect.poll(() => store.countReplicas(), eventually).toBe(3)
    await three.close()
    for (const store of [one, two]) await expect.poll(() => store.countReplicas(), eventually).toBe(2)
    await database.query(`insert into replicas values ('killed a minute ago', now() - interval '1 minute')`)
    await database.query(`insert into replicas values ('just started', now() + interval '1 hour')`)
    for (const store of [one, two]) await expect.poll(() => store.countReplicas(), eventually).toBe(3)
    await Promise.all([one.close(), two.close()])
  })
})

it('the only process of an embedded database counts itself', async () => {
  await using place = await createFolder()
  const store = await openStore({ location: { folder: place.folder }, log: createTestLog() })
  expect(store.countReplicas()).toBe(1)
  await store.close()
})
