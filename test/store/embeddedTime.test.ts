import { Clock } from '@agio/core'
import { openStore } from '@agio/store'
import { expect, it } from 'vitest'
import { createTestLog } from './createTestLog.ts'
import { createFolder } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

const hash = `0x${'1'.repeat(64)}` as const
const head = { hash: '0x1', number: 1n }
const dayMs = 86_400_000

async function open() {
  const { folder, [Symbol.asyncDispose]: remove } = await createFolder()
  const clock = Clock.createMovable()
  const start = () => openStore({ location: { folder }, log: createTestLog(), ...clock })
  return { clock, start, [Symbol.asyncDispose]: remove }
}

it('after a move of its time, a store dates new rows by the new time, its rows become due, and no lease ends', async () => {
  await using place = await open()
  const store = await place.start()
  const { key } = await store.keys.create(shop, actor)
  await store.webhooks.create(key.id, { url: 'http://127.0.0.1:1', events: ['transaction.finalized'] })
  const transaction = { keyId: key.id, chainId: 84532, transactionHash: hash } as const
  await store.webhooks.follow(transaction)
  const claim = () => store.webhooks.observations.claim({ chainId: 84532, head, limit: 1, leaseMs: 60_000 })
  // A broadcast is observed after half a minute.
  expect(await claim()).toEqual([])
  await store.local?.moveTime(dayMs, () => place.clock.moveAhead(dayMs))
  const [claimed] = await claim()
  expect(claimed?.ageMs).toBeGreaterThanOrEqual(dayMs)
  const later = await store.webhooks.create(key.id, { url: 'http://127.0.0.1:2', events: ['market.closed'] })
  expect(Math.abs(later.createdAt.getTime() - Date.now() - dayMs)).toBeLessThan(60_000)
  await store.local?.moveTime(2 * dayMs, () => place.clock.moveAhead(2 * dayMs))
  expect(await claim(), 'of a leased row').toEqual([])
  await store.close()
})

it('a store that is opened again after a move has the time of the system, and the rows of the later time', async () => {
  await using place = await open()
  const store = await place.start()
  const { key } = await store.keys.create(shop, actor)
  await store.local?.moveTime(dayMs, () => {})
  await store.webhooks.create(key.id, { url: 'http://127.0.0.1:1', events: ['market.closed'] })
  await store.close()
  const again = await place.start()
  await again.webhooks.create(key.id, { url: 'http://127.0.0.1:2', events: ['market.closed'] })
  const times = (await again.webhooks.list(key.id)).map(({ createdAt }) => createdAt.getTime() - Date.now() > dayMs / 2)
  expect(times).toEqual([true, false])
  await again.close()
})
