import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { neverEnd, reply } from '../stack/answers.ts'
import { startSocketProxy, type SocketProxy } from '../stack/startSocketProxy.ts'
import { anybody, codeOf, startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
let socket: SocketProxy
beforeAll(async () => {
  upstreams = await startUpstreams()
  socket = await startSocketProxy(upstreams.chain.rpcUrl)
})
beforeEach(async () => {
  await upstreams.reset()
  socket.reset()
})
afterAll(async () => {
  await socket?.[Symbol.asyncDispose]()
  await upstreams?.[Symbol.asyncDispose]()
})

describe('an answer over HTTP', () => {
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
  ])('%s is a fault of the node: svc/upstream-error', async (_, answer) => {
    const { first, open } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(answer)
    expect(await codeOf(chain.read())).toBe('svc/upstream-error')
  })

  it('in another order is told apart by its ids', async () => {
    const { first, open, chain: local } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(reply((replies) => replies.toReversed()))
    const owner = await chain.readNonces(anybody)
    const token = String(Object.values(local.tokens)[0]) as `0x${string}`
    // A contract's nonce is not that of an account that has sent nothing.
    const [nobody, contract] = await Promise.all([chain.readNonces(anybody), chain.readNonces(token)])
    expect(nobody).toEqual(owner)
    expect(contract).toEqual({ pending: 1, latest: 1 })
  })

  it('that begins and never ends is svc/upstream-timeout', async () => {
    const { first, open } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(neverEnd)
    expect(await codeOf(chain.read())).toBe('svc/upstream-timeout')
  })
})

describe('an answer over a WebSocket', () => {
  const toReply = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: '0x7' })

  it.each([
    ['of an id that nobody asked', (id: number) => toReply(id + 1000)],
    ['of an id as a text', (id: number) => toReply(String(id))],
    ['of no id', () => toReply(undefined)],
  ])('%s is a fault of the node, at once: svc/upstream-error', async (_, answer) => {
    const chain = upstreams.open([socket.url])
    await chain.read()
    socket.setAnswer((method, id) => (method === 'eth_getTransactionCount' ? answer(id) : undefined))
    const startedAtMs = performance.now()
    expect(await codeOf(chain.read())).toBe('svc/upstream-error')
    expect(performance.now() - startedAtMs).toBeLessThan(2000)
  })

  it('of an id that was answered is none: the question is asked again over a new connection', async () => {
    const chain = upstreams.open([socket.url])
    const nonces = await chain.read()
    let asked = 0
    socket.setAnswer((method) => {
      if (method !== 'eth_getTransactionCount' || (asked += 1) > 1) return undefined
      return toReply(1)
    })
    expect(await chain.read()).toEqual(nonces)
    expect(asked).toBe(4)
  })

  it('that comes after nobody waited for it any more harms nothing', async () => {
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
    // Something else is answered meanwhile, so that the connection is not given up.
    await chain.getSnapshot()
    expect(await codeOf(reading)).toBe('svc/upstream-timeout')
    let asked = 0
    socket.setAnswer((method) => {
      if (method !== 'eth_getTransactionCount') return undefined
      asked += 1
      const [id] = late.splice(0)
      if (id !== undefined) socket.send(toReply(id))
      return undefined
    })
    expect(await chain.read()).toEqual(nonces)
    // Over a connection that was broken off it would have been asked again.
    expect(asked).toBe(2)
  })
})
