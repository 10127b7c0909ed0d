import { expect, it } from 'vitest'
import { createSharedReads } from './createSharedReads.ts'
import type { StreamChain } from './TopicSource.ts'

const chain = { chainId: 84532, heads: { find: () => ({ hash: '0x01' }) } } as unknown as StreamChain

it('a read is shared for a block, or until its age where it may change without one', async () => {
  let [nowMs, reads] = [0, 0]
  const aged = { key: 'a', maxAgeMs: 2500 }
  const { share } = createSharedReads({ now: () => nowMs })
  const read = async () => (reads += 1)
  expect(await Promise.all([share(chain, { key: 'a' }, read), share(chain, aged, read)])).toEqual([1, 1])
  nowMs = 2499
  expect(await share(chain, aged, read)).toBe(1)
  nowMs = 2500
  expect(await share(chain, { key: 'a' }, read)).toBe(1)
  expect(await share(chain, aged, read)).toBe(2)
})
