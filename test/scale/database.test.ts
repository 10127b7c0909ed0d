import { openDatabase } from '@agio/store/testing'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { readUsage } from '../harness/readUsage.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { adminKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { fillKeys, fillUsage, keyOfNumber } from './fillDatabase.ts'
import { measureGrowth } from './measureGrowth.ts'
import { measurePreviews, quantile } from './measurePreviews.ts'

const describeScale = await describeWith(['PostgreSQL'], 'growth with keys and usage')

describeScale('growth of the database', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

  /** Starts the service, and measures its start, previews with a known key, an unknown key, a page, and its memory. */
  async function measureService(databaseUrl: string, keys: number) {
    const startedMs = performance.now()
    await using server = await startServerProcess(settingsFor(localnet, { databaseUrl }), 'Node')
    const startMs = performance.now() - startedMs
    const targetOf = (number: number) => ({
      url: server.url,
      apiKey: keyOfNumber(number).secret,
      chain: localnet.chains[84532],
    })
    await measurePreviews(targetOf(keys), 2000)
    const cached = await measurePreviews(targetOf(keys), 5000)
    // Each preview with a key that the service has not seen.
    const unknownMs: number[] = []
    for (let number = 1; number <= 100; number += 1) {
      unknownMs.push((await measurePreviews(targetOf(number), Promise.resolve())).maxMs)
    }
    const pageMs = await readLastPage(server.url, keys)
    const { residentMB } = await readUsage(server.pid)
    const newKeyMs = quantile(unknownMs, 0.5)
    const { medianMs, p99Ms, perSecond } = cached
    return { startMs, medianMs, p99Ms, perSecond, newKeyMs, pageMs, residentMB }
  }

  it('the start of the service, a preview with a known key, and the memory do not grow with the keys', async () => {
    await using database = await createDatabase()
    await (await openDatabase({ url: database.url })).close()
    const { exponents } = await measureGrowth({
      subject: 'keys',
      sizes: [10_000, 100_000, 1_000_000],
      async measure(keys) {
        await fillKeys(database, keys)
        return await measureService(database.url, keys)
      },
    })
    expectConstant(exponents)
  })

  it('the start of the service, a preview with a known key, and the memory do not grow with the rows of usage', async () => {
    await using database = await createDatabase()
    await (await openDatabase({ url: database.url })).close()
    const { exponents } = await measureGrowth({
      subject: 'rows of usage',
      sizes: [100_000, 1_000_000, 10_000_000],
      async measure(rows) {
        const keys = rows / 20
        await fillKeys(database, keys)
        await fillUsage(database, { keys, rows })
        return await measureService(database.url, keys)
      },
    })
    expectConstant(exponents)
  })
})

/** Asserts that figures do not grow. One that reads a whole table has an exponent near 1. */
function expectConstant({ startMs, medianMs, residentMB }: Constant): void {
  for (const exponent of [startMs, medianMs, residentMB]) expect(exponent).toBeLessThan(0.5)
}

type Constant = Readonly<Record<'startMs' | 'medianMs' | 'residentMB', number>>

async function readLastPage(url: string, keys: number): Promise<number> {
  const startedMs = performance.now()
  const path = `${url}/api/v1/admin/stats?limit=100&page=${Math.ceil(keys / 100)}`
  const { statusCode, body } = await request(path, { headers: { 'x-admin-key': adminKey } })
  await body.dump()
  expect(statusCode).toBe(200)
  return performance.now() - startedMs
}
