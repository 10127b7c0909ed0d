import { createRedisStore } from '@agio/store/testing'
import { createClient } from '@redis/client'
import { expect, it } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { startRedis } from '../harness/startRedis.ts'
import { describeCountingStore } from './describeCountingStore.ts'
import { admitOnceOpen, hold, open } from './openCountingStore.ts'

const describeRedis = await describeWith(['Redis binary'], 'counts that processes share in Redis')

describeRedis('a store of counts in Redis', () => {
  const startServer = async () => {
    const redis = await startRedis()
    return { ...redis, createStore: () => createRedisStore(redis.url) }
  }
  describeCountingStore(startServer)

  it('each connection loads the scripts first, so that no request is sent twice', async () => {
    await using server = await startServer()
    using one = await open(server)
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await server.stop()
        await server.start()
      }
      await admitOnceOpen(one)
      await one.store.hold(hold)
      expect(await readCommands(server.url)).toEqual(['evalsha', 'script|load'])
    }
  })
})

/** The commands that the server has executed whose names begin as those that execute scripts. */
async function readCommands(url: string): Promise<readonly string[]> {
  const client = await createClient({ url }).connect()
  const text = await client.info('commandstats')
  client.destroy()
  return Array.from(text.matchAll(/^cmdstat_((?:eval|script)[^:]*):/gm), ([, name]) => String(name)).toSorted()
}
