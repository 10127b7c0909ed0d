import { expect, it } from 'vitest'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { loadStreams } from '../streams/loadStreams.ts'
import { recordTrial } from './trials.ts'

const changes = 150

it('a thousand streams for a minute and more, half of their readers stopped, take bounded memory', async () => {
  await using localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true })
  const load = await loadStreams(localnet, { streams: 1000, changes })
  const { aloneMs, loadedMs, residentMB, upstream } = load
  const [one = 0, all = 0, after = 0] = residentMB
  const ratio = (loadedMs / aloneMs).toFixed(1)
  recordTrial({
    trial: 'A thousand streams of prices, half of whose readers stop',
    tried: `A price changed ${changes} times within ${upstream.seconds.toFixed(0)} s`,
    result:
      `Each change reached all ${load.reading} readers, after ${loadedMs.toFixed(0)} ms in the median, ${ratio} times that of a stream alone. ` +
      `${upstream.reads} reads of the chain at ${upstream.blocks} blocks. ` +
      `Resident memory: ${one} MB with one stream, ${all} MB with all, ${after} MB after the changes`,
  })
  expect(upstream.reads).toBeLessThanOrEqual(upstream.blocks + 1)
  expect(after - one).toBeLessThan(200)
})
