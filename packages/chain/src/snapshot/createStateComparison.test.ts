import { encodeFunctionData, encodeFunctionResult, RpcRequestError, zeroHash, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { routeReaderAbi } from '../abi/index.ts'
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

type Choice = { readonly random?: () => number; readonly at?: BlockAt }

type Answer = { readonly time?: bigint; readonly state?: NodeState }

/** Reads pools from the first of some nodes once, with this choice. Returns the disagreements and the reads of each node. */
async function read(answers: readonly Answer[], { random = chosen, at = zeroHash }: Choice = {}) {
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
  const isSampled = createSampling(random)
  const comparing = createStateComparison({ reader, nodes, doubts: { add }, isSampled })
  expect(await comparing.poolStates([probe], at)).toEqual({ timestampSeconds: answers[0]?.time, states: [] })
  await new Promise(setImmediate)
  return { doubts, reads }
}

it('a read that is not chosen, and a read of the newest block, is not compared', async () => {
  expect((await read([{ time: 1n }, { time: 2n }], { random: notChosen })).reads[1]).toEqual([])
  expect((await read([{ time: 1n }, { time: 2n }], { at: 'latest' })).reads[1]).toEqual([])
})

it('a node without the state, and a node that is not healthy, have no vote', async () => {
  expect((await read([{ time: 1n }, {}])).doubts).toEqual([])
  expect((await read([{ time: 1n }, { time: 2n, state: 'unproven' }])).doubts).toEqual([])
})

it('a lone node is not compared', async () => {
  expect((await read([{ time: 1n }])).reads).toHaveLength(1)
})

describe('the results of calls', () => {
  const routeReader = '0xA611A611a611a611a611a611A611A611a611A611'
  const pool: Call = { target: probe.pool, data: '0x' }
  const toResult = (data: Hex): Result => ({ success: true, data })
  const [paid, other] = [toResult('0x01'), toResult('0x02')]
  const toFailure = (data: Hex): Result => ({ success: false, data })
  const [failed, refused] = [toFailure('0x'), toFailure('0x08c379a0')]

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
    const dependencies = { reader, nodes, doubts: { add }, isSampled: () => true }
    await createStateComparison(dependencies).aggregate([call], at)
    await new Promise(setImmediate)
    return doubts.length
  }

  it('a call that one node refuses with a reason is a disagreement of both nodes', async () => {
    expect(await countDoubts(pool, [refused, refused])).toBe(0)
    expect(await countDoubts(pool, [refused, paid])).toBe(2)
    expect(await countDoubts(pool, [paid, refused])).toBe(2)
  })

  it('a call of the newest block, and a call that fails at a node without a reason, are not compared', async () => {
    expect(await countDoubts(pool, [paid, other], 'latest')).toBe(0)
    expect(await countDoubts(pool, [paid, failed])).toBe(0)
    expect(await countDoubts(pool, [failed, paid])).toBe(0)
  })

  describe('of the RouteReader', () => {
    const abi = routeReaderAbi
    const viewRoute: Call = {
      target: routeReader,
      data: encodeFunctionData({ abi, functionName: 'viewRoute', args: [[], 7n] }),
    }
    const largest: Call = {
      target: routeReader,
      data: encodeFunctionData({ abi, functionName: 'largestInput', args: [[], 7n] }),
    }
    const toViews = (...result: readonly Result[]) =>
      toResult(encodeFunctionResult({ abi, functionName: 'viewRoute', result }))
    const toLargest = (amount: bigint) =>
      toResult(encodeFunctionResult({ abi, functionName: 'largestInput', result: [amount, 7n] }))

    it('different views of a route, and different largest inputs, are a disagreement of both nodes', async () => {
      expect(await countDoubts(viewRoute, [toViews(paid, other), toViews(paid, other)])).toBe(0)
      expect(await countDoubts(viewRoute, [toViews(paid, paid), toViews(paid, other)])).toBe(2)
      expect(await countDoubts(viewRoute, [toViews(paid, refused), toViews(paid, other)])).toBe(2)
      expect(await countDoubts(viewRoute, [toViews(refused, failed), toViews(paid, other)])).toBe(2)
      expect(await countDoubts(viewRoute, [toResult('0x'), toViews(paid, other)])).toBe(2)
      expect(await countDoubts(largest, [toLargest(5n), toLargest(6n)])).toBe(2)
    })

    it('a call that fails, and a route with a view that fails without a reason, are not compared', async () => {
      expect(await countDoubts(viewRoute, [failed, toViews(paid, other)])).toBe(0)
      expect(await countDoubts(largest, [toLargest(5n), refused])).toBe(0)
      expect(await countDoubts(viewRoute, [toViews(paid, failed), toViews(paid, other)])).toBe(0)
      expect(await countDoubts(viewRoute, [toViews(paid, other), toViews(failed, failed)])).toBe(0)
    })
  })
})
