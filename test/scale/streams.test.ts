import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { loadStreams } from '../streams/loadStreams.ts'
import { measureGrowth } from './measureGrowth.ts'

let localnet: Localnet
beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true })
})
afterAll(() => localnet?.stop())

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
