import { Hop, PoolMath, type Address, type OraclePrice, type Pool } from '@agio/core'
import { encodeEventTopics, numberToHex, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { parties } from '../../test/conversionLogs.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { findModes, findTradePrices, readPriceUpdates } from './findTradePrices.ts'

const { aud, usd, audPool, user, other: feed } = parties
const [cheap, middle, dear] = [60_000_000n, 65_120_000n, 70_000_000n]

type Market = {
  readonly answer: bigint
  readonly pricing?: Pool.Pricing
  readonly oracle?: OraclePrice.OraclePrice['oracle']
}

function poolOf({ answer, pricing = 'local', oracle = feed }: Market): Pool.Pool {
  const times = { updatedAtSeconds: 1n, maxAgeSeconds: 3600n }
  const tokenOf = (address: typeof aud | typeof usd) => ({ address, symbol: 'T', name: 'T', decimals: 6 })
  return {
    address: audPool,
    base: { token: tokenOf(aud), reserve: 10n ** 24n, price: { oracle, answer, ...times } },
    quote: { token: tokenOf(usd), reserve: 10n ** 24n, price: { oracle: null, answer: 100_000_000n, ...times } },
    totalSupply: 1n,
    alpha: 5n * 10n ** 17n,
    epsilon: 5n * 10n ** 14n,
    frozen: false,
    pricing,
  }
}

const pair = { tokenIn: aud, tokenOut: usd }
const position = 5
const updateAbi = parseAbi(['event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'])

function tradeAt(answer: bigint, amountInRaw = 1_000_000_000n) {
  const { amountOutRaw } = PoolMath.priceExactIn(Hop.from(poolOf({ answer }), aud, usd), amountInRaw, 1n)
  return { pool: audPool, trader: user, ...pair, amountInRaw, amountOutRaw, logIndex: position }
}

const updateOf = (answer: bigint, logIndex: number, oracle: Address = feed) => ({ oracle, answer, logIndex })

function statesOf(from: bigint, to: bigint, market: Omit<Market, 'answer'> = {}) {
  return { before: poolOf({ answer: from, ...market }), after: poolOf({ answer: to, ...market }), updates: [] }
}

const findAnswer = (...of: Parameters<typeof findTradePrices>) => findTradePrices(...of)?.tokenInAnswer

describe('the prices of a trade', () => {
  it.each([
    { name: 'before the block', executedAt: cheap },
    { name: 'after the block', executedAt: dear },
  ])('a trade has the price $name if our maths gives its amounts only there', ({ executedAt }) => {
    expect(findAnswer(tradeAt(executedAt), statesOf(cheap, dear))).toBe(executedAt)
  })

  it.each([
    { name: 'the price before the block', positions: [6, 7], executedAt: cheap },
    { name: 'the first of two updates', positions: [4, 6], executedAt: middle },
    { name: 'the second of two updates', positions: [3, 4], executedAt: dear },
  ])('a trade in a foreign pool has $name by its position', ({ positions: [first = 0, second = 0], executedAt }) => {
    const states = { ...statesOf(cheap, dear, { pricing: 'on-chain' }) }
    const updates = [updateOf(middle, first), updateOf(dear, second)]
    // The amounts of a foreign pool prove nothing.
    expect(findAnswer(tradeAt(dear), { ...states, updates })).toBe(executedAt)
  })

  it('the position decides between two prices at which a tiny trade has the same amounts', () => {
    const dust = tradeAt(middle, 10n)
    const states = statesOf(middle, middle + 1n)
    expect(findAnswer(dust, { ...states, updates: [updateOf(middle + 1n, 4)] })).toBe(middle + 1n)
    expect(findAnswer(dust, { ...states, updates: [updateOf(middle + 1n, 6)] })).toBe(middle)
    expect(findTradePrices(dust, states)).toBeUndefined()
  })

  it('a changed price of a foreign pool without a recorded update is not guessed', () => {
    expect(findTradePrices(tradeAt(cheap), statesOf(cheap, dear, { pricing: 'on-chain' }))).toBeUndefined()
  })

  it('updates that do not lead to the price after the block decide nothing', () => {
    const states = { ...statesOf(cheap, dear, { pricing: 'on-chain' }), updates: [updateOf(middle, 4)] }
    expect(findTradePrices(tradeAt(cheap), states)).toBeUndefined()
  })

  it.each([
    { decimals: 18, scale: (answer: bigint) => answer * 10n ** 10n + 123n },
    { decimals: 6, scale: (answer: bigint) => answer / 100n },
  ])('an update of an oracle with $decimals decimals counts with 8', ({ scale }) => {
    const updates = [updateOf(scale(middle), 4), updateOf(scale(dear), 6)]
    const states = { ...statesOf(cheap, dear, { pricing: 'on-chain' }), updates }
    expect(findAnswer(tradeAt(middle), states)).toBe(middle)
  })

  it('another oracle after the block leaves the decision to the amounts', () => {
    const states = { before: poolOf({ answer: cheap }), after: poolOf({ answer: dear, oracle: user }), updates: [] }
    expect(findAnswer(tradeAt(cheap), states)).toBe(cheap)
  })

  it('a trade never has an invalid price', () => {
    expect(findAnswer(tradeAt(dear), statesOf(0n, dear))).toBe(dear)
    expect(findAnswer(tradeAt(cheap), statesOf(cheap, -1n))).toBe(cheap)
  })
})

it('the modes of a trade are those in which our maths gives its amounts', () => {
  const [hop] = [findTradePrices(tradeAt(middle), statesOf(middle, middle))]
  if (!hop) throw new Error('no prices')
  expect(findModes(hop, tradeAt(middle))).toContain('exact-in')
  expect(findModes(hop, { ...tradeAt(middle), amountInRaw: 1_000_000_001n })).toEqual(['exact-in'])
  expect(findModes(hop, tradeAt(dear))).toEqual([])
  expect(findModes({ ...hop, pricing: 'on-chain' }, tradeAt(middle))).toEqual([])
})

it('error: a block with more than 2,000 updates is svc/upstream-error, since decoding them would take seconds', async () => {
  const word = (value: bigint) => pad(numberToHex(value), { size: 32 })
  const topics = [...encodeEventTopics({ abi: updateAbi }), word(7n), word(1n)]
  const logs = Array.from({ length: 2001 }, () => ({ address: feed, data: word(1n), logIndex: '0x1', topics }))
  const read = (count: number) => {
    const client = { request: () => Promise.resolve(logs.slice(0, count)) }
    return readPriceUpdates({ client } as unknown as Rpc, word(9n))
  }
  expect((await read(2000)).at(-1)).toEqual({ oracle: feed, answer: 7n, logIndex: 1 })
  await expect(read(2001)).rejects.toMatchObject({ code: 'svc/upstream-error' })
})
