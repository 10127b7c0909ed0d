import type { Limiter } from '@agio/store'
import { createClient } from '@redis/client'
import { expect, it } from 'vitest'
import { startRedis } from '../harness/startRedis.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { admitMany, describeRedis, open, rate } from '../store/openSharedLimiter.ts'

/** Starts two processes behind one proxy of Redis. They have admitted 10 calls each, and know the calls of each other. */
async function startProcesses() {
  await using starting = new AsyncDisposableStack()
  const redis = starting.use(await startRedis())
  const proxy = starting.use(await startTcpProxy(redis.url))
  const limiters: readonly Limiter[] = [
    starting.use(await open(proxy.url, 2)).limiter,
    starting.use(await open(proxy.url, 2)).limiter,
  ]
  const client = await createClient({ url: redis.url }).connect()
  starting.defer(() => client.destroy())
  for (const limiter of limiters) await admitMany(limiter, 'a', 10)
  const known = () => limiters.map((limiter) => limiter.getWindowState('a', rate).used)
  await expect.poll(known, eventually).toEqual([20, 20])
  const running = starting.move()
  return {
    proxy,
    limiters,
    client,
    readUsed: async () => Number(await client.get('agio:{a}:rate')),
    waitUntilShared: async () =>
      await expect.poll(() => limiters.map((limiter) => limiter.state()), eventually).toEqual(['shared', 'shared']),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

describeRedis('a Redis that processes reach again', () => {
  it('when two processes use Redis again, it has the calls of both, although a client calls only one of them', async () => {
    await using processes = await startProcesses()
    const { limiters, proxy } = processes
    await proxy.cut()
    expect(await Promise.all(limiters.map((limiter) => admitMany(limiter, 'a', 100)))).toEqual([40, 40])
    await proxy.restore()
    await processes.waitUntilShared()
    expect(await admitMany(limiters[0] as Limiter, 'a', 100)).toBe(0)
    expect(await processes.readUsed()).toBe(100)
  })

  it('calls that a process has reported are not added again, although Redis no longer knows the number of the report', async () => {
    await using processes = await startProcesses()
    const { limiters, proxy, client } = processes
    await proxy.cut()
    for (const limiter of limiters) expect(await admitMany(limiter, 'a', 15)).toBe(15)
    await proxy.restore()
    await expect.poll(processes.readUsed, eventually).toBe(50)
    await client.del(await client.keys('agio:{a}:last:*'))
    await processes.waitUntilShared()
    for (const limiter of limiters) await admitMany(limiter, 'a', 1)
    expect(await processes.readUsed()).toBe(52)
  })
})
