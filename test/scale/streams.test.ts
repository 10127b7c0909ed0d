import { expect, it } from 'vitest'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from '../long/trials.ts'
import { loadStreams } from '../streams/loadStreams.ts'
import { measureGrowth } from './measureGrowth.ts'

const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true }))

it('the reads of a block do not grow with the open streams of a process', async () => {
  const { rows } = await measureGrowth({
    subject: 'open streams',
    sizes: [100, 1000, 10_000],
    async measure(streams) {
      const { aloneMs, loadedMs, upstream, residentMB } = await loadStreams(localnet, { streams, changes: 5 })
      const [one = 0, all = 0] = residentMB
      const kilobytesPerStream = ((all - one) * 1000) / streams
      return { aloneMs, loadedMs, readsPerBlock: upstream.reads / upstream.blocks, kilobytesPerStream }
    },
  })
  // A read may belong to a block that is counted before or after.
  for (const { size, figures } of rows) expect(figures.readsPerBlock, `${size} streams`).toBeLessThanOrEqual(1.5)
})

it('a thousand streams for a minute and more, half of their readers stopped, take bounded memory', async () => {
  const load = await loadStreams(localnet, { streams: 1000, changes: 150 })
  const { aloneMs, loadedMs, residentMB, upstream } = load
  const [one = 0, all = 0, after = 0] = residentMB
  const ratio = (loadedMs / aloneMs).toFixed(1)
  recordTrial({
    trial: 'A thousand streams of prices, half of whose readers stop',
    tried: `A price changed 150 times within ${upstream.seconds.toFixed(0)} s`,
    result:
      `Each change reached all ${load.reading} readers, after ${loadedMs.toFixed(0)} ms in the median, ${ratio} times that of a stream alone. ` +
      `${upstream.reads} reads of the chain at ${upstream.blocks} blocks. ` +
      `Resident memory: ${one} MB with one stream, ${all} MB with all, ${after} MB after the changes`,
  })
  expect(upstream.reads).toBeLessThanOrEqual(upstream.blocks + 1)
  expect(after - one).toBeLessThan(200)
})
