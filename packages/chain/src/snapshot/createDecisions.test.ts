import type { Address, Token } from '@agio/core'
import { keccak256, numberToHex, zeroAddress, zeroHash } from 'viem'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFactReader, type FactSource } from '../reader/createFactReader.ts'
import type { Reader } from '../reader/createReader.ts'
import type { RawPoolState } from '../reader/decodeResult.ts'
import type { Tokens } from '../token/createTokens.ts'
import { createDecisions } from './createDecisions.ts'
import type { PoolReading } from './readPoolStates.ts'

const [aud, usd] = [addressOf(1), addressOf(2)].map((address) => {
  return { address, symbol: 'TOKEN', name: 'Token', decimals: 6 }
}) as [Token, Token]
const tokens = {
  known: new Map([aud, usd].map((token) => [token.address, token])),
  disputed: new Set(),
  load: () => Promise.resolve(),
} as unknown as Tokens
const block = { hash: zeroHash, timestampSeconds: 7n } as const

it.each([
  [30, 8],
  [200, 25],
])('out of %d decisions that no two nodes have confirmed, a sample makes %d again', async (count, expected) => {
  const { decisions, second } = start()
  const readings = listReadings(count)
  second.isDown = true
  await decisions.decide(readings, block)
  second.isDown = false
  second.read.length = 0
  decisions.reconsider(readings, block)
  await expect.poll(() => second.read.length).toBe(expected)
  await new Promise(setImmediate)
  expect(second.read).toEqual(readings.slice(0, expected).map(({ raw }) => raw.pool))
  decisions.reconsider(readings, block)
  expect(second.read).toContain(readings[expected]?.raw.pool)
})

it('a node that does not answer delays a decision by two seconds at most', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { decisions, second } = start()
  second.hangs = true
  const [reading] = listReadings(1) as [PoolReading]
  const onDecided = vi.fn<() => void>()
  void decisions.decide([reading], block).then(onDecided)
  await vi.advanceTimersByTimeAsync(1999)
  expect(onDecided).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onDecided).toHaveBeenCalledOnce()
  expect(decisions.find(reading.raw)).toBeUndefined()
})

/** Creates decisions over two nodes. */
function start() {
  const [first, second] = [createNode(), createNode()]
  const nodes = [first, second].map(({ source }, index) => {
    return { position: index + 1, state: () => 'healthy' as const, reader: source as Reader }
  })
  const facts = createFactReader({ nodes, reader: first.source, doubts: { add() {} } })
  return { decisions: createDecisions({ reader: first.source, facts, tokens, onDisproven() {} }), second }
}

function listReadings(count: number): readonly PoolReading[] {
  return Array.from({ length: count }, (_, index) => {
    return { raw: stateOf(addressOf(10 + index)), curve: undefined, base: aud, quote: usd }
  })
}

/** Creates a node that records of which pools it reads the states, and whose views return three units. */
function createNode() {
  const read: Address[] = []
  const source: FactSource = {
    size: { maxItems: 100 },
    async aggregate(calls) {
      const result = { success: true, data: numberToHex(3, { size: 32 }) }
      return await Promise.resolve({ timestampSeconds: 7n, results: calls.map(() => result) })
    },
    async poolStates(probes) {
      if (node.isDown) throw new Error('the node is down')
      if (node.hangs) await new Promise(() => {})
      read.push(...probes.map(({ pool }) => pool))
      const states = probes.map(({ pool }) => ({ state: stateOf(pool) }))
      return await Promise.resolve({ timestampSeconds: 7n, states })
    },
  }
  const node = { read, source, isDown: false, hangs: false }
  return node
}

function stateOf(pool: Address): RawPoolState {
  const price = { oracle: zeroAddress, answer: 100_000_000n, updatedAt: 7n, maxAge: 3600n, fault: '0x' as const }
  return {
    pool,
    codeHash: keccak256(pool),
    base: aud.address,
    quote: usd.address,
    baseReserve: 10n ** 12n,
    quoteReserve: 10n ** 12n,
    totalSupply: 10n ** 24n,
    alpha: 5n * 10n ** 17n,
    beta: 0n,
    delta: 0n,
    epsilon: 5n * 10n ** 14n,
    lambda: 0n,
    frozen: false,
    basePrice: price,
    quotePrice: price,
  }
}

function addressOf(number: number): Address {
  return numberToHex(number, { size: 20 })
}
