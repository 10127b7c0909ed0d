import { describe, expect, it } from 'vitest'
import { reply } from '../harness/answers.ts'
import { eventually } from '../harness/timeLimits.ts'
import { anyAccount, codeOf, countReads, useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()

describe('a response over HTTP', () => {
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

  it.each([301, 308])(
    'a redirect with status %i is a fault of the node: it is not followed, and the next node is asked',
    async (status) => {
      const { first, second, open } = upstreams
      const [chain, alone] = [open(), open([first.url])]
      await Promise.all([chain.read(), alone.read()])
      // Without the check of the status, this body would be the answer to the whole batch.
      const body = '{"jsonrpc":"2.0","id":null,"error":{"code":3,"message":"execution reverted"}}'
      first.setAnswer((_, response) => void response.writeHead(status, { location: second.url }).end(body))
      const before = countReads(second)
      expect(await codeOf(alone.read())).toBe('svc/upstream-error')
      expect(countReads(second)).toBe(before)
      expect(await codeOf(chain.read())).toBe('ok')
      expect(countReads(second)).toBe(before + 1)
    },
  )
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
      const chain = upstreams.open([upstreams.socket.url])
      await chain.read()
      upstreams.socket.setAnswer((method, id) => (method === 'eth_getTransactionCount' ? answer(id) : undefined))
      // Waiting for the time limit would be svc/upstream-timeout.
      expect(await codeOf(chain.read())).toBe('svc/upstream-error')
    },
  )

  it('a second response with one id makes the read go over a new connection', async () => {
    const chain = upstreams.open([upstreams.socket.url])
    const nonces = await chain.read()
    let sent = 0
    upstreams.socket.setAnswer((method) => {
      if (method !== 'eth_getTransactionCount' || (sent += 1) > 1) return undefined
      return toReply(1)
    })
    expect(await chain.read()).toEqual(nonces)
    expect(sent).toBe(4)
  })

  it('a response over a WebSocket that comes after the time limit is ignored', async () => {
    const chain = upstreams.open([upstreams.socket.url])
    const nonces = await chain.read()
    const late: number[] = []
    upstreams.socket.setAnswer((method, id) => {
      if (method !== 'eth_getTransactionCount') return undefined
      late.push(id)
      return 'nothing'
    })
    const reading = chain.read()
    await expect.poll(() => late.length, eventually).toBe(2)
    // Another response arrives meanwhile, so that the connection is kept.
    await chain.pools.getSnapshot()
    expect(await codeOf(reading)).toBe('svc/upstream-timeout')
    let sent = 0
    upstreams.socket.setAnswer((method) => {
      if (method !== 'eth_getTransactionCount') return undefined
      sent += 1
      const [id] = late.splice(0)
      if (id !== undefined) upstreams.socket.send(toReply(id))
      return undefined
    })
    expect(await chain.read()).toEqual(nonces)
    // Over a new connection both requests would have been sent again.
    expect(sent).toBe(2)
  })
})
