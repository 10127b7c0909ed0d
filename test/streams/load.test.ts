import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { loadStreams } from './loadStreams.ts'

let localnet: Localnet
beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true })
})
afterAll(() => localnet?.stop())

it('a thousand streams cost one read of the chain for each block, half of their readers stopped, and all others get each change', async () => {
  const { reading, upstream, residentMB } = await loadStreams(localnet, { streams: 1000, changes: 8 })
  expect(reading).toBeGreaterThanOrEqual(499)
  expect(upstream.reads).toBeLessThanOrEqual(upstream.blocks + 1)
  const [before = 0, , after = 0] = residentMB
  // Two connections of a server and all that they need are far below a tenth of a megabyte each.
  expect(after - before).toBeLessThan(150)
})
