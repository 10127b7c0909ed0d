import { openStore } from '@agio/store'
import { describe, it } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { createTestLog } from './createTestLog.ts'
import { listDatabases } from './listDatabases.ts'
import { countedIn, startCounting } from './startCounting.ts'

const databases = await listDatabases('a process that is killed')

async function readCalls(location: openStore.Options['location'], keyId: string): Promise<number> {
  const store = await openStore({ location, log: createTestLog() })
  const calls = await store.usage.readCalls(keyId, countedIn)
  const { days } = await store.usage.readKeyMonth(keyId, countedIn)
  await store.close()
  // A batch is written to its months and its days, or to neither.
  const sum = days.reduce((total, day) => total + day.calls, 0)
  if (sum !== calls) throw new Error(`The days have ${sum} calls, and their month ${calls}`)
  return calls
}

describe.concurrent.each(databases)('a process that counts on $name', ({ create }) => {
  it('a process that is killed loses no count that it knew to be written, and counts none twice', async ({
    expect,
  }) => {
    await using place = await create()
    // At three moments between two writes. A batch follows its first count by 150 ms, which the unit test proves.
    for (const batches of [1, 2, 4]) {
      const keyId = `key_${batches}`
      await using child = await startCounting(place.location, keyId)
      await child.waitForBatches(batches)
      await child.kill()
      const calls = await readCalls(place.location, keyId)
      const last = (await child.readCounts()).at(-1)
      expect(last?.written).toBeGreaterThan(0)
      expect(calls).toBeGreaterThanOrEqual(last?.written ?? Infinity)
      expect(calls).toBeLessThanOrEqual(last?.total ?? 0)
    }
  })

  it('a process that receives SIGTERM loses no count', async ({ expect }) => {
    await using place = await create()
    await using child = await startCounting(place.location, 'key_stopped')
    await child.waitForBatches(1)
    await child.stop()
    expect(await readCalls(place.location, 'key_stopped')).toBe((await child.readCounts()).at(-1)?.total)
  })
})

const describeOwn = await describeWith(['PostgreSQL binaries'], 'a process that stops while PostgreSQL hangs')

describeOwn.concurrent('a process that counts on a PostgreSQL that hangs', () => {
  it('a process that receives SIGTERM exits although PostgreSQL hangs', async ({ expect }) => {
    await using server = await startPostgres()
    await using child = await startCounting({ url: server.url })
    await child.waitForBatches(1)
    await server.pause()
    await expect(child.stop()).resolves.toBeUndefined()
  })
})
