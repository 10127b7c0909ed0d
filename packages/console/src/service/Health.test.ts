import { expect, it } from 'vitest'
import { type ChainHealth, type SeenBlocks, addBlocks } from './Health.ts'

const timestamp = '2026-11-22T12:00:30.700Z'
const chain: ChainHealth = { chainId: 1, status: 'ok', available: [] }

const see = (seen: SeenBlocks, blockNumber: number, blockAgeSeconds: number) =>
  addBlocks(seen, { timestamp, chains: [{ ...chain, blockNumber, blockAgeSeconds }] })

it('the first block that is seen has its time', () => {
  expect(see({}, 7, 10)).toEqual({ 1: [{ number: 7, at: '2026-11-22T12:00:20.000Z' }] })
})

it('a newer block has its distance from the one before, which stays below it', () => {
  const seen = see(see({}, 7, 10), 9, 6)
  expect(seen[1]).toMatchObject([{ number: 9, at: '2026-11-22T12:00:24.000Z', blocks: 2, seconds: 4 }, { number: 7 }])
})

it('the same block is seen once, also when it has become older', () => {
  const seen = see({}, 7, 10)
  expect(see(seen, 7, 11)).toEqual(seen)
})

it('a block of a lower number, of a chain that was reorganised, is seen too', () => {
  expect(see(see({}, 7, 10), 5, 10)[1]?.[0]).toMatchObject({ number: 5, blocks: -2, seconds: 0 })
})

it('the six newest blocks are kept, and so are the blocks of a chain with unreachable nodes', () => {
  const seen = [1, 2, 3, 4, 5, 6, 7].reduce<SeenBlocks>((blocks, number) => see(blocks, number, 0), {})
  expect(seen[1]?.map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2])
  expect(addBlocks(seen, { timestamp, chains: [chain] })).toEqual(seen)
})
