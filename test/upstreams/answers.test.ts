import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reply } from '../harness/answers.ts'
import { anyAccount, codeOf, startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
let socket: Upstreams['socket']
beforeAll(async () => {
  upstreams = await startUpstreams()
  socket = upstreams.socket
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

describe('a response over HTTP', () => {
  it.each([
    ['with other ids', reply((replies) => replies.map((one) => ({ ...one, id: one.id + 1 })))],
    ['with ids as texts', reply((replies) => replies.map((one) => ({ ...one, id: String(one.id) })))],
    ['without ids', reply((replies) => replies.map(({ id: _, ...rest }) => rest))],
    [
      'with one id twice',
      reply(([one, ...rest]) => [one, ...rest.map((other) => ({ ...other, id: one?.id }))] as object[]),
    ],
    ['that lacks one', reply((replies) => replies.slice(1))],
    ['with one too many', reply((replies) => [...replies, { ...replies[0], id: 0 }] as object[])],
    ['without a result', reply((replies) => replies.map(({ result: _, ...rest }) => rest))],
  ])('a response over HTTP %s is a fault of the node: svc/upstream-error', async (_, answer) => {
    const { first, open } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(answer)
    expect(await codeOf(chain.read())).toBe('svc/upstream-error')
  })

  it('replies over HTTP in another order are matched by their ids', async () => {
    const { first, open, chain: local } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(reply((replies) => replies.toReversed()))
    const owner = await chain.transactions.readNonces(anyAccount)
    const token = String(Object.values(local.tokens)[0]) as `0x${string}`
    // A contract's nonce differs from an account that has sent nothing.
    const [unused, contract] = await Promise.all([
      chain.transactions.readNonces(anyAccount),
      chain.transactions.readNonces(token),
    ])
    expect(unused).toEqual(owner)
    expect(contract).toEqual({ pending: 1, latest: 1 })
  })
})

describe('a response over a WebSocket', () => {
  const toReply = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: '0x7' })

  it.each([
    ['with an unknown id', (id: number) => toReply(id + 1000)],
    ['with an id as a string', (id: number) => toReply(String(id))],
    ['without an id', () => toReply(undefined)],
  ])(
    'a response over a WebSocket %s is a fault of the node, without waiting for the time limit: svc/upstream-error',
    async (_, answer) => {
      const chain = upstreams.open([socket.url])
      await chain.read()
      socket.setAnswer((method, id) => (method === 'eth_getTransactionCount' ? answer(id) : undefined))
      // Waiting for the time limit would be svc/upstream-timeout.
      expect(await codeOf(chain.read())).toBe('svc/upstream-error')
    },
  )

  it('a second response with one id makes the read go over a new connection', async () => {
    const chain = upstreams.open([socket.url])
    const nonces = await chain.read()
    let sent = 0
    socket.setAnswer((method) => {
      if (method !== 'eth_getTransactionCount' || (sent += 1) > 1) return undefined
      return toReply(1)
    })
    expect(await chain.read()).toEqual(nonces)
    expect(sent).toBe(4)
  })

  it('a response over a WebSocket that comes after the time limit is ignored', async () => {
    const chain = upstreams.open([socket.url])
    const nonces = await chain.read()
    const late: number[] = []
    socket.setAnswer((method, id) => {
      if (method !== 'eth_getTransactionCount') return undefined
      late.push(id)
      return 'nothing'
    })
    const reading = chain.read()
    await expect.poll(() => late.length).toBe(2)
    // Another response arrives meanwhile, so that the connection is kept.
    await chain.pools.getSnapshot()
    expect(await codeOf(reading)).toBe('svc/upstream-timeout')
    let sent = 0
    socket.setAnswer((method) => {
      if (method !== 'eth_getTransactionCount') return undefined
      sent += 1
      const [id] = late.splice(0)
      if (id !== undefined) socket.send(toReply(id))
      return undefined
    })
    expect(await chain.read()).toEqual(nonces)
    // Over a new connection both requests would have been sent again.
    expect(sent).toBe(2)
  })
})
