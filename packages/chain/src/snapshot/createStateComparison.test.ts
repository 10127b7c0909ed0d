import type { Address } from '@agio/core'
import { RpcRequestError, zeroHash, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Doubt } from '../health/createDoubts.ts'
import type { NodeState } from '../health/UpstreamNode.ts'
import type { Call, Probe, Reader } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import type { Result } from '../reader/decodeResult.ts'
import { createSampling, createStateComparison } from './createStateComparison.ts'

const probe: Probe = { pool: '0x9A676e781A523b5d0C0e43731313A708CB607508', paysBase: true, share: 7n }
const lacksBlock = new RpcRequestError({
  body: {},
  url: 'http://node.test',
  error: { code: -32000, message: 'header not found' },
})
const [chosen, notChosen] = [() => 1 / 33, () => 1 / 32]

type Choice = { readonly random?: () => number; readonly at?: BlockAt; readonly isForked?: boolean }

type Answer = { readonly time?: bigint; readonly state?: NodeState }

/** Reads pools from the first of some nodes once, with this choice. Returns the disagreements and the reads of each node. */
async function read(answers: readonly Answer[], { random = chosen, at = zeroHash, isForked = false }: Choice = {}) {
  const doubts: Doubt[] = []
  const reads: (readonly unknown[])[] = answers.map(() => [])
  const nodes = answers.map(({ time, state = 'healthy' }, index) => {
    const poolStates: Reader['poolStates'] = async (...request) => {
      reads[index] = [...(reads[index] ?? []), request]
      if (time === undefined) throw lacksBlock
      return await Promise.resolve({ timestampSeconds: time, states: [] })
    }
    return { position: index + 1, state: () => state, reader: { poolStates } as Reader }
  })
  const reader = nodes[0]?.reader as Reader
  const add = (doubt: Doubt) => void doubts.push(doubt)
  const haveForked = () => Promise.resolve(isForked)
  const isSampled = createSampling(random)
  const comparing = createStateComparison({ reader, nodes, doubts: { add }, haveForked, isSampled })
  expect(await comparing.poolStates([probe], at)).toEqual({ timestampSeconds: answers[0]?.time, states: [] })
  await new Promise(setImmediate)
  return { doubts, reads }
}

it('a chosen read sends its request to the second node, and no further request to the first node', async () => {
  const request = [[probe], zeroHash]
  expect(await read([{ time: 1n }, { time: 1n }, { time: 1n }])).toEqual({
    doubts: [],
    reads: [[request], [request], []],
  })
})

it('a read that is not chosen, and a read of the newest block, is not compared', async () => {
  expect((await read([{ time: 1n }, { time: 2n }], { random: notChosen })).reads[1]).toEqual([])
  expect((await read([{ time: 1n }, { time: 2n }], { at: 'latest' })).reads[1]).toEqual([])
})

it('different states at one block are a disagreement of both nodes', async () => {
  const { doubts } = await read([{ time: 1n }, { time: 2n }])
  expect(doubts).toEqual([
    { subject: 'state', position: 1 },
    { subject: 'state', position: 2 },
  ])
})

it('a node without the state, and a node that is not healthy, have no vote', async () => {
  expect((await read([{ time: 1n }, {}])).doubts).toEqual([])
  expect((await read([{ time: 1n }, { time: 2n, state: 'unproven' }])).doubts).toEqual([])
})

it('nodes that have forked disagree if the second node does not have the block', async () => {
  expect((await read([{ time: 1n }, {}], { isForked: true })).doubts).toHaveLength(2)
  expect((await read([{ time: 1n }, { time: 1n }], { isForked: true })).doubts).toEqual([])
})

it('a lone node is not compared', async () => {
  expect((await read([{ time: 1n }])).reads).toHaveLength(1)
})

describe('the results of calls', () => {
  const routeReader = '0xA611A611a611a611a611a611A611A611a611A611'
  const toCall = (target: Address): Call => ({ target, data: '0x' })
  const [pool, routes] = [toCall(probe.pool), toCall(routeReader)]
  const toResult = (data: Hex): Result => ({ success: true, data })
  const [paid, other] = [toResult('0x01'), toResult('0x02')]
  const failed: Result = { success: false, data: '0x' }

  /** Calls a contract at two nodes, and returns how many of them disagree. */
  async function countDoubts(call: Call, results: readonly [Result, Result], at: BlockAt = zeroHash) {
    const doubts: Doubt[] = []
    const nodes = results.map((result, index) => {
      const aggregate = () => Promise.resolve({ timestampSeconds: 1n, results: [result] })
      return {
        position: index + 1,
        state: () => 'healthy' as const,
        reader: { routeReader, aggregate } as unknown as Reader,
      }
    })
    const reader = nodes[0]?.reader as Reader
    const add = (doubt: Doubt) => void doubts.push(doubt)
    const haveForked = () => Promise.resolve(false)
    const dependencies = { reader, nodes, doubts: { add }, haveForked, isSampled: () => true }
    await createStateComparison(dependencies).aggregate([call], at)
    await new Promise(setImmediate)
    return doubts.length
  }

  it('different results of a call at one block are a disagreement of both nodes', async () => {
    expect(await countDoubts(pool, [paid, paid])).toBe(0)
    expect(await countDoubts(pool, [paid, other])).toBe(2)
  })

  it('a call of the newest block, of the RouteReader, and a call that failed at a node are not compared', async () => {
    expect(await countDoubts(pool, [paid, other], 'latest')).toBe(0)
    expect(await countDoubts(routes, [paid, other])).toBe(0)
    expect(await countDoubts(pool, [paid, failed])).toBe(0)
    expect(await countDoubts(pool, [failed, paid])).toBe(0)
  })
})
