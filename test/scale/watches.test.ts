import { createKeyring, openDatabase, openWebhooks } from '@agio/store/testing'
import { expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { url } from '../store/openWebhookStack.ts'
import { fillKeys, keyOfNumber } from './fillDatabase.ts'
import { measureGrowth } from './measureGrowth.ts'
import { quantile } from './measurePreviews.ts'

const describeScale = await describeWith(['PostgreSQL'], 'growth with watches')

const chainId = 84532
const head = { hash: '0x01', number: 1n }

describeScale('growth of the watched transactions', () => {
  it('the time to claim and record watches does not grow with the watches of one key, and another key waits for one claim', async () => {
    await using database = await createDatabase()
    await using place = await openPlace(database)
    const { observations } = place
    const { exponents } = await measureGrowth({
      subject: 'watches of one key',
      sizes: [1000, 10_000, 100_000],
      async measure(watches) {
        await fillWatches(database, watches)
        const claimMs: number[] = []
        const recordMs: number[] = []
        const owners: string[][] = []
        const seen = new Set<string>()
        for (let round = 0; round < 30; round += 1) {
          const claimedAtMs = performance.now()
          const claimed = await observations.claim({ chainId, head, limit: 32, leaseMs: 15_000 })
          claimMs.push(performance.now() - claimedAtMs)
          owners.push(claimed.map(({ keyId }) => keyId))
          for (const each of claimed) {
            expect(seen.has(each.transactionHash)).toBe(false)
            seen.add(each.transactionHash)
            const recordedAtMs = performance.now()
            const state = { status: 'pending', visibility: 'hidden' } as const
            await observations.record(each, { cursor: '', state, head, nextInMs: 300_000, event: undefined })
            recordMs.push(performance.now() - recordedAtMs)
          }
        }
        expect(owners[0]).toContain(keyOfNumber(2).id)
        expect(seen.size).toBe(Math.min(30 * 32, watches + 1))
        return { claimMs: quantile(claimMs, 0.5), recordMs: quantile(recordMs, 0.5) }
      },
    })
    expect(exponents.claimMs).toBeLessThan(0.5)
    expect(exponents.recordMs).toBeLessThan(0.5)
  })

  it('the time to claim a watch does not grow with the keys that have webhooks', async () => {
    await using database = await createDatabase()
    await using place = await openPlace(database)
    const { exponents } = await measureGrowth({
      subject: 'keys with webhooks',
      sizes: [1000, 10_000, 100_000],
      async measure(keys) {
        await fillKeys(database, keys)
        await fillWebhooks(database)
        await fillWatches(database, 100)
        const claimMs: number[] = []
        for (let round = 0; round < 20; round += 1) {
          const claimedAtMs = performance.now()
          await place.observations.claim({ chainId, head, limit: 4, leaseMs: 15_000 })
          claimMs.push(performance.now() - claimedAtMs)
        }
        return { claimMs: quantile(claimMs, 0.5) }
      },
    })
    expect(exponents.claimMs).toBeLessThan(0.5)
  })
})

async function openPlace(database: TestDatabase) {
  const opened = await openDatabase({ url: database.url })
  await fillKeys(database, 2)
  await fillWebhooks(database)
  return {
    observations: openWebhooks({ ...opened, keyring: createKeyring([]) }).observations,
    [Symbol.asyncDispose]: () => opened.close(),
  }
}

/** Adds a webhook to each key without one. */
async function fillWebhooks(database: TestDatabase): Promise<void> {
  await database.query(`
    insert into webhooks (id, key_id, url, events, secret)
    select 'webhook_' || id, id, '${url}', '["transaction.included"]', 'whsec_none'
    from api_keys where not exists (select from webhooks where key_id = api_keys.id)`)
  await database.query('vacuum analyze webhooks, api_keys')
}

/** Replaces all watches: some of the first key that are due, and a later one of the second key. */
async function fillWatches(database: TestDatabase, count: number): Promise<void> {
  await database.query('delete from webhook_watches')
  await database.query(`
    insert into webhook_watches (key_id, chain_id, transaction_hash, cursor, created_at, due_at)
    select case when number > ${count} then 'key_2' else 'key_1' end, ${chainId}, '0x' || lpad(to_hex(number), 64, '0'), '',
      now() - interval '1 hour', now() - interval '1 hour' + number * interval '1 millisecond'
    from generate_series(1, ${count + 1}) as number`)
  await database.query('vacuum analyze webhook_watches')
}
