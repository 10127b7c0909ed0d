import { expect, it } from 'vitest'
import { createStateSource } from './createStateSource.ts'

const fixed = { usd: '1.00', lastUpdate: '2026-11-21T05:00:00.000Z', maxAgeSeconds: null, stale: false }
const first = {
  prices: { tUSD: fixed, tAUD: { ...fixed, usd: '0.65120000', maxAgeSeconds: 3600 } },
  timestamp: '2026-11-21T05:00:00.000Z',
  blockNumber: 7,
}
const laterSeconds = '2026-11-21T05:00:02.000Z'

it('a state is sent again when an oracle is updated, also at the same price', async () => {
  const { tUSD, tAUD } = first.prices
  const updated = { ...first, prices: { tUSD, tAUD: { ...tAUD, lastUpdate: laterSeconds } } }
  expect(await readEach([first, updated])).toEqual([[{ data: first }], [{ data: updated }]])
})

it('a state is sent again when a fixed price becomes the price of an oracle', async () => {
  const priced = { ...first, prices: { ...first.prices, tUSD: { ...fixed, maxAgeSeconds: 3600 } } }
  expect(await readEach([first, priced])).toEqual([[{ data: first }], [{ data: priced }]])
})

/** Reads the events of a topic at blocks with these states. */
async function readEach(states: readonly object[]): Promise<readonly unknown[]> {
  const left = [...states]
  const chain = { chainId: 84532, heads: { next: async () => true, find: () => undefined } } as const
  const source = createStateSource(
    { topic: 'prices', chain, key: 'a', read: async () => left.shift() ?? {} },
    { share: async (_, __, read) => await read(), now: () => 0 },
  )
  const events: unknown[] = []
  for (const _ of states) events.push(await source.read())
  return events
}
