import { expect, it } from 'vitest'
import type { AuditEvent, AuditLog } from './adminSchemas.ts'
import { readAllKeys } from './readAllKeys.ts'
import { verifyAuditLog } from './verifyAuditLog.ts'

const link = { position: 5000, hash: '' }
const toPage = (toPosition: (index: number) => number): AuditLog => {
  const events = Array.from({ length: 1000 }, (_, index) => ({ position: toPosition(index) }) as AuditEvent)
  return { events, newest: link, removed: { position: 0, hash: '' } }
}

it.each([
  ['the same page', (index: number) => 5000 - index, 1],
  ['one event', () => 5000, 0],
  ['events between two positions', (index: number) => 5000 - index / 1000, 0],
  ['events above the newest', (index: number) => 9000 - index, 0],
  ['events that go up', (index: number) => index + 1, 0],
] as const)('a service that always returns %s has a fault', async (_, toPosition, count) => {
  const audit = await verifyAuditLog(async () => toPage(toPosition))
  expect(audit).toMatchObject({ count: count * 1000, fault: { kind: 'changed' } })
})

it('a service that goes below the first event has a fault', async () => {
  const audit = await verifyAuditLog(async ({ before = 5001 }) => toPage((index) => before - 1 - index))
  expect(audit).toMatchObject({ count: 5000, fault: { kind: 'changed' } })
})

it.each([
  ['says that it has', 2 ** 53 - 1, 1],
  ['has by and by', 5000, 4],
])('error: RangeError for a service that %s more events than are read', async (_, position, pages) => {
  let asked = 0
  const verified = verifyAuditLog(
    async ({ before = position + 1 }) => {
      const removed = { position: (asked += 1) < 4 ? 0 : -1e9, hash: '' }
      return { ...toPage((index) => before - 1 - index), newest: { position, hash: '' }, removed }
    },
    { maxEvents: 6000 },
  )
  await expect(verified).rejects.toThrow('it has more than 6000 events')
  expect(asked).toBe(pages)
})

it('a service that always returns the same keys has these', async () => {
  const pagination = { limit: 1, total: 1e12 }
  const { keys } = await readAllKeys(async () => ({ keys: [{ id: 'a' }], pagination }))
  expect(keys).toEqual([{ id: 'a' }])
})
