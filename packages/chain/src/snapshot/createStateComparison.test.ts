import { expect, it } from 'vitest'
import type { Doubt } from '../health/createDoubts.ts'
import type { NodeState } from '../health/UpstreamNode.ts'
import { createReaderCalls } from '../reader/createReaderCalls.ts'
import { createStateComparison } from './createStateComparison.ts'

type Answer = { readonly result?: string; readonly state?: NodeState }

/** Compares nodes with these results over a number of blocks. Returns their disagreements and the number of reads. */
async function compare(answers: readonly Answer[], blocks = 32) {
  const doubts: Doubt[] = []
  let reads = 0
  const nodes = answers.map(({ result, state = 'healthy' }, index) => ({
    position: index + 1,
    state: () => state,
    async read() {
      reads += 1
      if (result === undefined) throw new Error('header not found')
      return result
    },
  }))
  const comparison = createStateComparison({
    nodes,
    doubts: { add: (doubt) => doubts.push(doubt) },
    readerCalls: createReaderCalls({}),
    pools: ['0x9A676e781A523b5d0C0e43731313A708CB607508'],
  })
  for (let number = 1; number <= blocks; number += 1) {
    comparison.observe({ number: BigInt(number), hash: `0x${'a'.repeat(64)}`, timestampSeconds: 0n })
  }
  await new Promise(setImmediate)
  return { doubts, reads }
}

it('every 32nd block, the states of the pools at two nodes are compared', async () => {
  expect(await compare([{ result: '0x01' }, { result: '0x01' }], 31)).toEqual({ doubts: [], reads: 0 })
  expect(await compare([{ result: '0x01' }, { result: '0x01' }], 96)).toEqual({ doubts: [], reads: 6 })
})

it('different states at one block are a disagreement of both nodes', async () => {
  const { doubts } = await compare([{ result: '0x01' }, { result: '0x02' }])
  expect(doubts).toEqual([
    { subject: 'state', position: 1 },
    { subject: 'state', position: 2 },
  ])
})

it('a node without the state, and a node that is not healthy, have no vote', async () => {
  expect((await compare([{ result: '0x01' }, {}])).doubts).toEqual([])
  expect((await compare([{ result: '0x01' }, { result: '0x02', state: 'unproven' }])).doubts).toEqual([])
})

it('a lone node is not compared', async () => {
  expect(await compare([{ result: '0x01' }])).toEqual({ doubts: [], reads: 0 })
})
