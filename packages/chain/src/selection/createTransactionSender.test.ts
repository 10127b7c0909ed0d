import { describe, expect, it } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import {
  breakConnection,
  createFakeNode,
  hashOf,
  neverRespond,
  onlyFor,
  respondError,
  respondStatus,
  takeThen,
  toTransaction,
  type FakeNode,
} from '../../test/createFakeNode.ts'

const signed = { serialized: '0x02', hash: hashOf(2) } as const

const countSends = (node: FakeNode) => node.count('eth_sendRawTransaction')

async function connect(count = 2) {
  const nodes = Array.from({ length: count }, createFakeNode)
  const connected = connectFakeNodes(nodes)
  // The chain ids are verified by then.
  await connected.read()
  const send = () => connected.send(signed)
  return { first: nodes[0] as FakeNode, second: nodes[1] as FakeNode, ...connected, send }
}

describe.each([
  ['breaks the connection', breakConnection],
  ['reports that it is overloaded', respondStatus(503)],
  ['never responds', neverRespond],
  ['has an internal error', respondError({ code: -32603, message: 'internal error' })],
] as const)('a node that takes a transaction and then %s', (does, behaviour) => {
  it(`a transaction is sent once, to one node, if that node takes it and then ${does}`, async () => {
    const { first, second, send } = await connect()
    // Nodes share the transactions that they take.
    second.setBehaviour(onlyFor('eth_getTransactionByHash', ({ respond, calls }) => respond(calls.map(toKnown))))
    first.setBehaviour(takeThen(behaviour))
    expect((await send()).code).toBe('ok')
    expect([countSends(first), countSends(second)]).toEqual([1, 0])
  })

  it(`a lone node that takes a transaction and then ${does} is queried by its hash, and gets it once`, async () => {
    const { first, send } = await connect(1)
    first.setBehaviour(takeThen(behaviour))
    expect((await send()).code).toBe('ok')
    expect(countSends(first)).toBe(1)
    expect(first.count('eth_getTransactionByHash')).toBeGreaterThan(0)
  })
})

it('a transaction goes to the next node, once, if the first cannot be reached', async () => {
  const { first, second, send } = await connect()
  first.setBehaviour(breakConnection)
  expect((await send()).code).toBe('ok')
  expect(countSends(second)).toBe(1)
  expect([...second.transactions]).toEqual([signed.hash])
})

it('no node gets a transaction twice where none can be reached, nor one that cannot look up its hash', async () => {
  const { first, second, send } = await connect()
  for (const node of [first, second]) node.setBehaviour(respondStatus(503))
  expect((await send()).code).toBe('svc/upstream-unavailable')
  expect([countSends(first), countSends(second)]).toEqual([1, 0])
})

it('a transaction that a node rejects is not sent to another node', async () => {
  const { first, second, send } = await connect()
  const error = { code: -32000, message: 'replacement transaction underpriced' }
  first.setBehaviour(onlyFor('eth_sendRawTransaction', respondError(error)))
  expect((await send()).code).toBe('svc/upstream-error')
  expect([countSends(first), countSends(second)]).toEqual([1, 0])
})

it('a transaction that a node already knows is sent, although the node rejects it', async () => {
  const { first, send } = await connect()
  await send()
  const error = { code: -32000, message: 'nonce too low' }
  first.setBehaviour(onlyFor('eth_sendRawTransaction', respondError(error)))
  expect((await send()).code).toBe('ok')
})

it.each([1, 2, 3, 5])(
  'sending a transaction takes ten seconds at most over %i nodes that never respond',
  async (count) => {
    const nodes = Array.from({ length: count }, createFakeNode)
    const { read, send } = connectFakeNodes(nodes)
    await read()
    for (const node of nodes) node.setBehaviour(neverRespond)
    const { code, tookMs } = await send(signed)
    expect(code).toBe('svc/upstream-timeout')
    expect(tookMs).toBeLessThanOrEqual(10_000)
  },
)

function toKnown({ id }: { readonly id: number }): object {
  return { jsonrpc: '2.0', id, result: toTransaction(signed.hash) }
}
