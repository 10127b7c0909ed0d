import type { Address } from '@agio/core'
import { BaseError, encodeErrorResult, encodeFunctionResult, keccak256, zeroAddress, zeroHash, type Hex } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { rateReaderAbi, tokenAbi } from '../abi/index.ts'
import type { Feeds } from '../deployment/Deployment.ts'
import { createFactReader } from '../reader/createFactReader.ts'
import type { Call, Probe, Reader } from '../reader/createReader.ts'
import type { RawPoolState } from '../reader/decodeResult.ts'
import { createPoolReader, type PoolReport } from './createPoolReader.ts'

const [good, bad] = [addressOf(1), addressOf(2)] as const
const [usd, aud] = [addressOf(10), addressOf(11)] as const
const feed = addressOf(20)
const block = { number: 1n, hash: zeroHash, timestampSeconds: 7n } as const
const recheckMs = 5000

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it.each<[string, Partial<RawPoolState>]>([
  ['has no account', { codeHash: zeroHash, base: zeroAddress, quote: zeroAddress }],
  ['has no code', { codeHash: keccak256('0x') }],
  ['is another contract', { base: zeroAddress }],
  ['returns one token for both sides', { base: usd }],
  ['has no curve', { alpha: 0n }],
  ['has a token without metadata', { base: addressOf(99) }],
])('a pool that %s is unreadable, and the others are read', async (_, flaw) => {
  const { node, reader, reports } = start([bad, good])
  node.states.set(bad, flaw)
  expect(await reader.readAndProbe(block)).toMatchObject([{ address: good }])
  expect(reports).toMatchObject([{ pool: bad, state: 'unreadable' }])
})

it('an unreadable pool is read again every five seconds, without a request, until it is readable', async () => {
  const { node, reader, reports } = start([good, bad])
  node.states.set(bad, { codeHash: zeroHash })
  await reader.readAndProbe(block)
  node.reads.length = 0
  await vi.advanceTimersByTimeAsync(2 * recheckMs)
  expect(node.reads).toEqual([[bad], [bad]])
  node.states.delete(bad)
  await vi.advanceTimersByTimeAsync(recheckMs)
  expect(reader.listUnreadable()).toEqual([])
  expect(reports.map(({ state }) => state)).toEqual(['unreadable', 'readable'])
  expect(await reader.readAndProbe(block)).toMatchObject([{ address: good }, { address: bad }])
  node.reads.length = 0
  await vi.advanceTimersByTimeAsync(2 * recheckMs)
  expect(node.reads).toEqual([])
})

it('nodes with different newest blocks do not disagree about an unreadable pool that is read again', async () => {
  const { node, reader, doubts } = start([good, bad], { others: [{ baseReserve: 1n }, { baseReserve: 2n }] })
  node.states.set(bad, { codeHash: zeroHash })
  await reader.readAndProbe(block)
  expect([reader.listUnreadable(), doubts.splice(0).length]).toEqual([[bad], 3])
  await vi.advanceTimersByTimeAsync(recheckMs)
  expect([reader.listUnreadable(), doubts]).toEqual([[], []])
})

it('a node that does not answer leaves the state of a pool as it was', async () => {
  const { node, reader } = start([good, bad])
  node.states.set(bad, { codeHash: zeroHash })
  await reader.readAndProbe(block)
  node.isDown = true
  await expect(reader.readAndProbe(block)).rejects.toThrow('down')
  await vi.advanceTimersByTimeAsync(recheckMs)
  expect(reader.listUnreadable()).toEqual([bad])
  node.isDown = false
  node.states.delete(bad)
  await vi.advanceTimersByTimeAsync(recheckMs)
  expect(reader.listUnreadable()).toEqual([])
})

it('a pool reader that is stopped reads nothing', async () => {
  const { node, reader } = start([good, bad])
  node.states.set(bad, { codeHash: zeroHash })
  await reader.readAndProbe(block)
  reader.stop()
  node.reads.length = 0
  await vi.advanceTimersByTimeAsync(2 * recheckMs)
  expect(node.reads).toEqual([])
})

it('a price has the fault with which its rate reader reverts, and a revert of any other contract is no fault', async () => {
  const { node, reader } = start([good])
  const basePrice = { oracle: feed, answer: 10n, updatedAt: 7n, maxAge: 3600n }
  const args = [feed, 10n, 1n, 5n] as const
  const fault = encodeErrorResult({ abi: rateReaderAbi, errorName: 'PriceOutOfBounds', args })
  node.states.set(good, { basePrice: { ...basePrice, fault } })
  const expected = { reason: 'bounds', feed, answer: 10n, minAnswer: 1n, maxAnswer: 5n }
  expect((await reader.readAndProbe(block))[0]?.base.price.fault).toEqual(expected)
  expect(reader.listFaultyFeeds()).toEqual([{ feed, reason: 'bounds' }])
  for (const other of ['0x', '0x12345678', fault.slice(0, -2) as Hex] as const) {
    node.states.set(good, { basePrice: { ...basePrice, fault: other } })
    expect((await reader.readAndProbe(block))[0]?.base.price).not.toHaveProperty('fault')
    expect(reader.listFaultyFeeds()).toEqual([])
  }
})

it('the feed of an old price is not faulty', async () => {
  const { node, reader } = start([good])
  const basePrice = { oracle: feed, answer: 1n, updatedAt: 1n, maxAge: 3600n, fault: '0x' } as const
  node.states.set(good, { basePrice })
  await reader.readAndProbe({ ...block, timestampSeconds: 10_000n })
  expect(reader.listFaultyFeeds()).toEqual([])
})

it.each([
  ['an hour for a feed that the deployment does not list', undefined, none(), 3600n],
  ['from the deployment for a pool that enforces none', 90_000, none(), 90_000n],
  ['from the deployment if the pool enforces more', 60, 3600n, 60n],
  ['from the pool if it enforces less', 90_000, 3600n, 3600n],
  ['an hour if only the pool enforces more', undefined, 90_000n, 3600n],
])('the maximum age of a price is %s', async (_, maxAgeSeconds, maxAge, expected) => {
  const feeds = maxAgeSeconds === undefined ? {} : { [feed]: { maxAgeSeconds } }
  const { node, reader } = start([good], { feeds })
  node.states.set(good, { basePrice: { oracle: feed, answer: 1n, updatedAt: 7n, maxAge, fault: '0x' } })
  expect(await reader.readAndProbe(block)).toMatchObject([{ base: { price: { maxAgeSeconds: expected } } }])
})

/** Returns the maximum age that the Reader returns for a pool that does not enforce one. */
function none(): bigint {
  return 2n ** 256n - 1n
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}

type Settings = {
  readonly feeds?: Feeds
  /** What the states at other nodes differ in. */
  readonly others?: readonly Partial<RawPoolState>[]
}

/** Creates a pool reader over a node that returns the states of the test, and records the reads of pools. */
function start(addresses: readonly Address[], { feeds = {}, others = [] }: Settings = {}) {
  const node = {
    states: new Map<Address, Partial<RawPoolState>>(),
    isDown: false,
    reads: [] as (readonly Address[])[],
  }
  const reports: PoolReport[] = []
  const chainReader: Reader = {
    address: zeroAddress,
    size: { maxItems: 100 },
    routeReader: undefined,
    async aggregate(calls) {
      return await Promise.resolve({ timestampSeconds: 7n, results: calls.map(answerCall) })
    },
    aggregateNewest: () => Promise.reject(new Error('nothing is read at the newest block')),
    async poolStates(probes) {
      const pools = probes.map(({ pool }) => pool)
      node.reads.push(pools)
      if (node.isDown) throw new BaseError('the node is down')
      const states = pools.map((pool) => ({ state: { ...stateOf(pool), ...node.states.get(pool) } }))
      return await Promise.resolve({ timestampSeconds: 7n, states })
    },
  }
  const onPool = (report: PoolReport) => void reports.push(report)
  const otherReaders = others.map((change): Reader => {
    const states = (probes: readonly Probe[]) => probes.map(({ pool }) => ({ state: { ...stateOf(pool), ...change } }))
    return {
      ...chainReader,
      poolStates: (probes) => Promise.resolve({ timestampSeconds: 7n, states: states(probes) }),
    }
  })
  const nodes = (others.length > 0 ? [chainReader, ...otherReaders] : []).map((nodeReader, index) => {
    return { position: index + 1, state: () => 'healthy' as const, reader: nodeReader }
  })
  const doubts: number[] = []
  const facts = createFactReader({
    nodes,
    reader: chainReader,
    doubts: { add: ({ position }) => void doubts.push(position) },
  })
  return { node, reports, doubts, reader: createPoolReader({ addresses, feeds, reader: chainReader, facts, onPool }) }
}

function stateOf(pool: Address): RawPoolState {
  const price = { oracle: zeroAddress, answer: 100_000_000n, updatedAt: 7n, maxAge: 3600n, fault: '0x' as const }
  return {
    pool,
    codeHash: keccak256(pool),
    base: aud,
    quote: usd,
    baseReserve: 10n ** 12n,
    quoteReserve: 10n ** 12n,
    totalSupply: 10n ** 24n,
    alpha: 5n * 10n ** 17n,
    // A pool with a penalty and without a curve needs no probe.
    beta: 1n,
    delta: 1n,
    epsilon: 5n * 10n ** 14n,
    lambda: 1n,
    frozen: false,
    basePrice: price,
    quotePrice: price,
  }
}

/** Returns the metadata of the two tokens, and a revert for any other contract. */
function answerCall({ target, data }: Call) {
  if (target !== usd && target !== aud) return { success: false, data: '0x' } as const
  const isDecimals = data === '0x313ce567'
  const result = isDecimals
    ? encodeFunctionResult({ abi: tokenAbi, functionName: 'decimals', result: 6 })
    : encodeFunctionResult({ abi: tokenAbi, functionName: 'symbol', result: 'TOKEN' })
  return { success: true, data: result }
}
