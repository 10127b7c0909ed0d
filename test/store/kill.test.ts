import { openStore } from '@agio/store'
import { describe, it } from 'vitest'
import { describeWith } from '../stack/findServices.ts'
import { longestPauseMs } from '../stack/longestPauseMs.ts'
import { startPostgres } from '../stack/startPostgres.ts'
import { createLog } from './createLog.ts'
import { listDatabases } from './listDatabases.ts'
import { countedIn, startCounting } from './startCounting.ts'

const databases = await listDatabases('a process that ends')

async function readCalls(location: openStore.Settings['location'], keyId: string): Promise<number> {
  const store = await openStore({ location, log: createLog() })
  const calls = await store.usage.readCalls(keyId, countedIn)
  await store.close()
  return calls
}

describe.concurrent.each(databases)('a process that counts on $name', ({ create }) => {
  it('loses no more than its last 250 ms when it is killed, and what it counted counts once', async ({ expect }) => {
    await using place = await create()
    // At three moments between two writings. What was written is found at once, by whoever opens the database next.
    for (const lifeMs of [400, 550, 700]) {
      const keyId = `key_${lifeMs}`
      await using child = await startCounting(place.location, keyId)
      await child.untilCountedFor(lifeMs)
      const killedAtMs = Date.now()
      await child.kill()
      const calls = await readCalls(place.location, keyId)
      const counts = await child.readCounts()
      expect(calls).toBeLessThanOrEqual(counts.at(-1)?.total ?? 0)
      // 250 ms are promised to a process that may run. The rest is for a machine that is busy with other tests.
      const keptUntilMs = killedAtMs - 250 - 150 - longestPauseMs(counts.map(({ atMs }) => atMs))
      const promised = counts.findLast(({ atMs }) => atMs <= keptUntilMs)
      expect(calls).toBeGreaterThanOrEqual(promised?.total ?? 0)
    }
  })

  it('loses nothing when it is told to stop', async ({ expect }) => {
    await using place = await create()
    await using child = await startCounting(place.location, 'key_stopped')
    await child.untilCountedFor(200)
    await child.stop()
    expect(await readCalls(place.location, 'key_stopped')).toBe((await child.readCounts()).at(-1)?.total)
  })
})

const describeOwn = await describeWith(['PostgreSQL binaries'], 'a process that ends while PostgreSQL hangs')

describeOwn.concurrent('a process that counts on a PostgreSQL that hangs', () => {
  it('ends by itself when it is told to stop', async ({ expect }) => {
    await using server = await startPostgres()
    await using child = await startCounting({ url: server.url })
    await child.untilCountedFor(200)
    await server.pause()
    await expect(child.stop()).resolves.toBeUndefined()
  })
})
