import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import {
  breakConnection,
  createFakeNode,
  hashOf,
  neverRespond,
  onlyFor,
  replyTo,
  respondError,
  respondResult,
  respondStatus,
  takeThen,
  toTransaction,
  type FakeNode,
} from '../../test/createFakeNode.ts'

const signed = { serialized: '0x02', hash: keccak256('0x02') } as const

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

it('a transaction that a lone node lacks after its connection closed is sent once more', async () => {
  const { first, send } = await connect(1)
  first.setBehaviour(
    onlyFor('eth_sendRawTransaction', () => {
      first.reset()
      throw new TypeError('fetch failed')
    }),
  )
  expect((await send()).code).toBe('ok')
  expect(countSends(first)).toBe(2)
})

it('no node gets a transaction twice where none can be reached, nor one that cannot look up its hash', async () => {
  const { first, second, send } = await connect()
  for (const node of [first, second]) node.setBehaviour(respondStatus(503))
  expect((await send()).code).toBe('svc/upstream-unavailable')
  expect([countSends(first), countSends(second)]).toEqual([1, 0])
})

const underpriced = { code: -32000, message: 'replacement transaction underpriced' }
const rejecting = onlyFor('eth_sendRawTransaction', respondError(underpriced))

it('error: the rejection of a transaction counts, and not the fault of another node', async () => {
  const { first, second, rpc, run } = await connect()
  first.setBehaviour(onlyFor('eth_sendRawTransaction', respondStatus(503)))
  second.setBehaviour(rejecting)
  const { result } = await run(rpc.send(signed).catch((error: unknown) => error))
  expect(result).toMatchObject({ details: underpriced.message })
})

const says = (message: string, code = -32_000) => onlyFor('eth_sendRawTransaction', respondError({ code, message }))

it('a transaction that a lone node knows already is sent, although the node cannot look it up yet', async () => {
  const { first, send } = await connect(1)
  first.setBehaviour(says('already known'))
  expect(await send()).toMatchObject({ code: 'ok' })
})

it.each([
  ['context deadline exceeded', 'nonce too low'],
  ['nonce too low', 'queue is full'],
])('error: the outcome of a transaction is unknown if one node says %s and the other %s', async (one, other) => {
  const { first, second, rpc, run } = await connect()
  first.setBehaviour(says(one))
  second.setBehaviour(says(other))
  const { result } = await run(rpc.send(signed).catch((error: unknown) => error))
  expect(result).toMatchObject({ details: one === 'nonce too low' ? other : one })
  expect(rpc.isUncertain(signed)).toBe(true)
})

it('error: the rejection of a transaction counts if the other node limits the rate', async () => {
  const { first, second, rpc, run } = await connect()
  first.setBehaviour(says('429 Too Many Requests: {"error":{"code":-32016,"message":"over rate limit"}}'))
  second.setBehaviour(rejecting)
  const { result } = await run(rpc.send(signed).catch((error: unknown) => error))
  expect(result).toMatchObject({ details: underpriced.message })
  expect(rpc.isUncertain(signed)).toBe(false)
})

it('a transaction whose outcome is unknown is found as soon as a node has it', async () => {
  const { first, rpc, run, send } = await connect(1)
  first.setBehaviour(says('the sequencer cannot be reached'))
  expect((await send()).code).toBe('svc/upstream-error')
  expect(await run(rpc.has(signed))).toMatchObject({ result: false })
  first.setBehaviour(onlyFor('eth_getTransactionByHash', ({ respond, calls }) => respond(calls.map(toKnown))))
  expect(await run(rpc.has(signed))).toMatchObject({ result: true })
})

it('a transaction that a node rejects is not sent to a node that lags', async () => {
  const { first, second, rpc, send } = await connect()
  rpc.nodes[1]?.setLagging()
  first.setBehaviour(rejecting)
  expect((await send()).code).toBe('svc/upstream-error')
  expect([countSends(first), countSends(second)]).toEqual([1, 0])
})

const unavailable = 'svc/upstream-unavailable'

const otherHash = replyTo('eth_sendRawTransaction', () => ({ result: hashOf(3) }))

it('a transaction goes to the next node if the first one returns another hash, which is a fault', async () => {
  const { first, second, send, reports } = await connect()
  first.setBehaviour(otherHash)
  for (let count = 0; count < 2; count += 1) expect((await send()).code).toBe('ok')
  expect([...second.transactions]).toEqual([signed.hash])
  expect(reports).toMatchObject([{ position: 1, state: 'unavailable' }])
})

it('error: a transaction to which a lone node returns another hash is not sent, unless the node has it', async () => {
  const { first, send } = await connect(1)
  first.setBehaviour(onlyFor('eth_sendRawTransaction', respondResult(hashOf(3))))
  expect((await send()).code).toBe('svc/upstream-error')
  first.setBehaviour(otherHash)
  expect((await send()).code).toBe('ok')
})

describe('a transaction that is sent once more', () => {
  it('it goes to the healthy node that did not take it', async () => {
    const { first, second, rpc, run, send } = await connect()
    first.setBehaviour(rejecting)
    expect((await send()).code).toBe('ok')
    first.reset()
    expect((await run(rpc.resend(signed))).code).toBe('ok')
    expect([countSends(first), countSends(second)]).toEqual([2, 1])
  })

  const hiding = replyTo('eth_getTransactionByHash', () => ({ result: null }))

  it.each([
    ['it is sent, although the other node rejects it, if the first node has it', undefined, 'ok'],
    ['error: it has the error of the other node if neither of the two has it', hiding, 'svc/upstream-error'],
    ['error: it has the error of the look-up if the first node does not answer', respondStatus(503), unavailable],
  ] as const)('%s', async (_, behaviour, code) => {
    const { first, second, rpc, run, send } = await connect()
    expect((await send()).code).toBe('ok')
    second.setBehaviour(rejecting)
    if (behaviour) first.setBehaviour(behaviour)
    expect((await run(rpc.resend(signed))).code).toBe(code)
  })

  it('it goes to no node if no other node is healthy', async () => {
    const { first, second, rpc, run, send } = await connect()
    rpc.nodes[1]?.setLagging()
    expect((await send()).code).toBe('ok')
    expect((await run(rpc.resend(signed))).code).toBe('ok')
    expect([countSends(first), countSends(second)]).toEqual([1, 0])
  })
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
