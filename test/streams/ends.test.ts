import process from 'node:process'
import { request } from 'undici'
import { expect, inject, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { adminKey, apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream } from './openStream.ts'

const topics = [{ topic: 'health' }]

/** Returns the number of streams that have ended, by reason. */
async function readEnds(url: string): Promise<Readonly<Record<string, number>>> {
  const { body } = await request(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  const counts = (await body.text()).matchAll(/^agio_streams_ended_total\{reason="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...counts].map(([, reason, count]) => [reason, Number(count)]))
}

const none = { gone: 0, refused: 0, stopping: 0, restored: 0 }

it.each(inject('extent') === 'nightly' ? (['Node', 'Deno'] as const) : (['Node'] as const))(
  'each stream on %s that ends is counted by its reason: the client has gone, its key is revoked, or the process stops',
  async (runtime) => {
    await using localnet = await startTestLocalnet({ onDisk: true })
    // The process is killed before the drain ends.
    const settings = settingsFor(localnet, { drainMs: 600_000, logLevel: 'info' })
    await using service = await startServerProcess(settings, runtime)
    const admin = createAdminClient(service.url)
    const open = async () => {
      const { id, key } = await admin.issue()
      const stream = await openStream(service.url, { topics, apiKey: key })
      await stream.waitForTopic('health')
      return { id, stream }
    }
    const [gone, refused, ...stopped] = [await open(), await open(), await open(), await open()]
    expect(await readEnds(service.url)).toEqual(none)
    await gone?.stream.close()
    await expect.poll(() => readEnds(service.url), eventually).toEqual({ ...none, gone: 1 })
    const listLogged = () => service.lines.filter((line) => line.includes('"msg":"stream ended"'))
    await expect.poll(listLogged, eventually).toHaveLength(1)
    await admin.revoke(refused?.id ?? '')
    await expect.poll(() => readEnds(service.url), eventually).toEqual({ ...none, gone: 1, refused: 1 })
    process.kill(service.pid, 'SIGTERM')
    await expect.poll(() => readEnds(service.url), eventually).toEqual({ ...none, gone: 1, refused: 1, stopping: 2 })
    for (const { stream } of stopped) await stream.close()
  },
)

it('a stream that ends because a local stack returns to a snapshot is counted as restored', async () => {
  await using agio = await startAgio({ ownDatabase: true })
  const snapshot = await agio.snapshot()
  await using stream = await openStream(agio.url, { topics, apiKey })
  await stream.waitForTopic('health')
  await snapshot.restore()
  await expect.poll(() => readEnds(agio.url), eventually).toEqual({ ...none, restored: 1 })
})
