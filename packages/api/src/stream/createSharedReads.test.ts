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

it('a stream reads again if the client of the stream that read has disconnected', async () => {
  const { share } = createSharedReads({ now: () => 0 })
  const leaving = new AbortController()
  const fail = async () => {
    await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve))
    throw new Error('gone')
  }
  const outcomes = Promise.allSettled([
    share(chain, { key: 'a', client: leaving }, fail),
    share(chain, { key: 'a' }, async () => 'read again'),
  ])
  leaving.abort()
  expect(await outcomes).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'read again' }])
})

it('the stream that causes a read is charged for it, and a refused charge affects no other stream', async () => {
  let reads = 0
  const charged: string[] = []
  const { share } = createSharedReads({ now: () => 0 })
  const read = async () => (reads += 1)
  const refuse = async () => {
    throw new Error('refused')
  }
  const charge = (stream: string) => async () => void charged.push(stream)
  const outcomes = await Promise.allSettled([
    share(chain, { key: 'a', charge: refuse }, read),
    share(chain, { key: 'a', charge: charge('one') }, read),
    share(chain, { key: 'b' }, read),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  await share(chain, { key: 'a', charge: charge('two') }, read)
  expect(await share(chain, { key: 'a', charge: refuse }, read)).toBe(await share(chain, { key: 'a' }, read))
  expect(charged).toEqual(['one'])
  expect(reads).toBe(2)
})
