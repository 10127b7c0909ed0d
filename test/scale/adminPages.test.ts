import { openDatabase } from '@agio/store/testing'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { adminKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from '../long/trials.ts'
import { fillKeys, fillUsage, keyOfNumber } from './fillDatabase.ts'
import { measurePreviews } from './measurePreviews.ts'

const keys = 100_000
const rows = 2_000_000
const rounds = 5
// In the middle of the keys, and at their end.
const paths = ['keys', 'keys?page=50', 'keys?page=100', 'stats', 'stats?page=50', 'stats?page=100']

const describeScale = await describeWith(['PostgreSQL'], 'the pages of 100,000 keys')

describeScale('admin pages', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

  it('a page of 100,000 keys with a million rows of usage has 1,000 keys and the totals of all, while previews are served', async () => {
    await using database = await createDatabase()
    await (await openDatabase({ url: database.url })).close()
    await fillKeys(database, keys)
    await fillUsage(database, { keys, rows })
    await using server = await startServerProcess(settingsFor(localnet, { databaseUrl: database.url }), 'Node')
    const target = { url: server.url, apiKey: keyOfNumber(1).secret, chain: localnet.chains[84532] }
    async function read(path: string) {
      const startedMs = performance.now()
      const headers = { 'x-admin-key': adminKey }
      const { statusCode, body } = await request(`${server.url}/api/v1/admin/${path}`, { headers })
      const text = await body.text()
      const answer = { path, status: statusCode, kilobytes: Math.round(text.length / 1000) }
      return { ...answer, ms: performance.now() - startedMs, data: (JSON.parse(text) as { data: Page }).data }
    }
    type Answer = Awaited<ReturnType<typeof read>>
    async function readAll(): Promise<readonly Answer[]> {
      const answers: Answer[] = []
      for (let round = 0; round < rounds; round += 1) for (const path of paths) answers.push(await read(path))
      return answers
    }
    await measurePreviews(target, 2000)
    const alone = await measurePreviews(target, 5000)
    const reading = readAll()
    const beside = await measurePreviews(target, reading)
    const answers = await reading
    for (const { path, status, kilobytes, data } of answers) {
      expect({ path, status, total: data.pagination.total, keys: data.keys.length }).toEqual({
        path,
        status: 200,
        total: keys,
        keys: 1000,
      })
      expect(kilobytes, path).toBeLessThan(1000)
      // Each row by month has a refused call. The previews add no others.
      expect(data.totals?.refused ?? rows / 2, path).toBe(rows / 2)
    }
    const slowest = (kind: string) =>
      Math.max(...answers.filter(({ path }) => path.startsWith(kind)).map(({ ms }) => ms))
    const largest = Math.max(...answers.map(({ kilobytes }) => kilobytes))
    recordTrial({
      trial: 'Pages of 100,000 keys with a million rows of usage by month and a million by day',
      tried: `\`admin/keys\` and \`admin/stats\` at the beginning, the middle and the end, ${rounds} times each, beside previews one after the other`,
      result:
        `${answers.length} of ${answers.length} pages with 1,000 keys and at most ${largest} kB. Slowest: \`keys\` ${slowest('keys').toFixed(0)} ms, \`stats\` ${slowest('stats').toFixed(0)} ms. ` +
        `Previews alone: median ${alone.medianMs.toFixed(2)} ms, 99th percentile ${alone.p99Ms.toFixed(1)} ms. Beside the pages: ${beside.medianMs.toFixed(2)} ms and ${beside.p99Ms.toFixed(1)} ms, slowest ${beside.maxMs.toFixed(0)} ms`,
    })
  })
})

type Page = {
  readonly keys: readonly object[]
  readonly pagination: { readonly total: number }
  readonly totals?: { readonly refused: number }
}
