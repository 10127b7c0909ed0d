import { createRedisStore, createTestServer } from '@agio/store/testing'
import { describe } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { startRedis } from '../harness/startRedis.ts'
import { describeCountingStore } from './describeCountingStore.ts'

const describeRedis = await describeWith(['Redis binary'], 'counts that processes share in Redis')

describeRedis('a store of counts in Redis', () => {
  describeCountingStore(async () => {
    const redis = await startRedis()
    return { ...redis, createStore: () => createRedisStore(redis.url) }
  })
})

// The tests of the failover limiter use this store.
describe('a store of counts for tests', () => {
  describeCountingStore(async () => createTestServer())
})
