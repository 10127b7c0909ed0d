import { expect, it, vi } from 'vitest'
import { agree, listVotes } from './agree.ts'

const isSame = (vote: string) => vote === 'same'

function createRead(votes: Readonly<Record<string, string | Error>>) {
  return vi.fn(async (node: string) => {
    const vote = votes[node]
    if (vote instanceof Error) throw vote
    return vote
  })
}

it('nodes that fail or return nothing abstain, and two others agree', async () => {
  const read = createRead({ failing: new Error('timeout'), a: 'same', b: 'same' })
  const nodes = ['failing', 'a', 'unknown', 'b', 'later']
  expect(await agree(nodes, read, { isSame, needed: 2 })).toEqual({ verdict: 'agreed', node: 'b', vote: 'same' })
  expect(read.mock.calls).toEqual([
    ['failing', 0],
    ['a', 0],
    ['unknown', 1],
    ['b', 1],
  ])
})

it('the first node that contradicts ends the vote', async () => {
  const read = createRead({ a: 'same', b: 'other', c: 'same' })
  expect(await agree(['a', 'b', 'c'], read, { isSame, needed: 2 })).toEqual({
    verdict: 'disagreed',
    node: 'b',
    vote: 'other',
  })
})

it('one node of two that are needed is no agreement', async () => {
  const read = createRead({ a: 'same', b: new Error('down') })
  expect(await agree(['a', 'b'], read, { isSame, needed: 2 })).toEqual({ verdict: 'none' })
})

it('votes that are read at once come without the nodes that abstain', async () => {
  const read = createRead({ a: 'one', b: new Error('down'), d: 'other' })
  expect(await listVotes(['a', 'b', 'c', 'd'], read)).toEqual([
    { node: 'a', vote: 'one' },
    { node: 'd', vote: 'other' },
  ])
})
