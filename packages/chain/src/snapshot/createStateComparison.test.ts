import { zeroHash } from 'viem'
import { expect, it } from 'vitest'
import type { Doubt } from '../health/createDoubts.ts'
import type { NodeState } from '../health/UpstreamNode.ts'
import type { Probe, Reader } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import { createStateComparison } from './createStateComparison.ts'

const probe: Probe = { pool: '0x9A676e781A523b5d0C0e43731313A708CB607508', paysBase: true, share: 7n }
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
      if (time === undefined) throw new Error('header not found')
      return await Promise.resolve({ timestampSeconds: time, states: [] })
    }
    return { position: index + 1, state: () => state, reader: { poolStates } as Reader }
  })
  const reader = nodes[0]?.reader as Reader
  const comparing = createStateComparison({ reader, nodes, random, doubts: { add: (doubt) => doubts.push(doubt) } })
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

it('a lone node is not compared', async () => {
  expect((await read([{ time: 1n }])).reads).toHaveLength(1)
})
