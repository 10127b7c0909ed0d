import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import {
  breakConnection,
  changeReplies,
  createFakeNode,
  neverFinish,
  neverRespond,
  onlyFor,
  respondAfter,
  respondError,
  respondResult,
  respondStatus,
  respondText,
  type FakeNode,
} from '../../test/createFakeNode.ts'

const countReads = (node: FakeNode) => node.count('eth_getTransactionCount')

/** Connects to two nodes, whose chain ids are verified by the first read. */
async function connectTwo() {
  const [first, second] = [createFakeNode(), createFakeNode()]
  const connected = connectFakeNodes([first, second])
  await connected.read()
  return { first, second, ...connected }
}

describe('failover', () => {
  it.each([
    ['breaks the connection', breakConnection],
    ['is overloaded', respondStatus(503)],
    ['limits our rate', respondStatus(429)],
    ['denies access', respondStatus(403)],
    ['responds with a web page', respondText('<html>Welcome</html>', 'text/html')],
    ['responds with truncated JSON', respondText('[{"jsonrpc":"2.0","id":1,"res')],
    ['responds with status 204 and no body', respondStatus(204)],
    ['responds with a result of the wrong form', respondResult('garbage')],
    ['responds without ids', changeReplies((all) => all.map(({ id: _, ...rest }) => rest))],
    ['has an internal error', respondError({ code: -32603, message: 'internal error' })],
    ['lacks the method', respondError({ code: -32601, message: 'the method does not exist' })],
    ['lacks the block', respondError({ code: -32602, message: 'unknown block' })],
    ['refuses the parameters', respondError({ code: -32602, message: 'invalid argument 0' })],
    ['reverts a read that executes nothing', respondError({ code: 3, message: 'execution reverted' })],
    ['returns revert data for such a read', respondError({ code: -32000, message: 'x', data: '0x' })],
    ['lacks funds for such a read', respondError({ code: -32000, message: 'insufficient funds' })],
  ])('a read goes to the next node at once if the first %s', async (_, behaviour) => {
    const { first, second, read } = await connectTwo()
    first.setBehaviour(behaviour)
    const { code, tookMs } = await read()
    expect(code).toBe('ok')
    expect([countReads(first), countReads(second)]).toEqual([2, 1])
    // Batches are sent a timer later. A retry would begin after 100 ms at the earliest.
    expect(tookMs).toBeLessThan(10)
  })

  it.each([
    ['reverts', { code: 3, message: 'execution reverted' }],
    ['runs out of gas', { code: -32000, message: 'out of gas' }],
  ])('a call that %s is not sent to another node', async (_, error) => {
    const { first, second, rpc, run } = await connectTwo()
    first.setBehaviour(onlyFor('eth_call', respondError(error)))
    const call = () => rpc.client.request({ method: 'eth_call', params: [{ data: '0x' }, 'latest'] })
    expect((await run(call())).code).toBe('svc/upstream-error')
    expect([first.count('eth_call'), second.count('eth_call')]).toEqual([1, 0])
  })

  it('a read that fails on all nodes is retried once on each, after 100 ms', async () => {
    const { first, second, read } = await connectTwo()
    for (const node of [first, second]) node.setBehaviour(onlyFor('eth_getTransactionCount', respondStatus(503)))
    const { code, tookMs } = await read()
    expect(code).toBe('svc/upstream-unavailable')
    expect([countReads(first), countReads(second)]).toEqual([3, 2])
    expect(tookMs).toBeGreaterThanOrEqual(100)
    expect(tookMs).toBeLessThan(110)
  })

  it('a read whose connection closes while the process stands still is retried', async () => {
    const node = createFakeNode()
    const { read } = connectFakeNodes([node])
    await read()
    const runningMs = performance.now.bind(performance)
    node.setBehaviour(() => {
      const standstill = vi.spyOn(performance, 'now').mockImplementation(() => runningMs() + 60_000)
      onTestFinished(() => standstill.mockRestore())
      node.reset()
      throw new TypeError('fetch failed')
    })
    expect((await read()).code).toBe('ok')
  })

  it.each(['header not found', 'missing trie node 12 (path )', 'Unknown block', 'words that no table knows'])(
    'a read that a lone node answers with %s is read once more after 100 ms',
    async (message) => {
      const node = createFakeNode()
      const { read } = connectFakeNodes([node])
      await read()
      node.setBehaviour((request) => {
        node.reset()
        return respondError({ code: -32_000, message })(request)
      })
      expect(await read()).toMatchObject({ code: 'ok', tookMs: 100 })
    },
  )

  it('a read that a node answers with its own error is not retried on that node', async () => {
    const node = createFakeNode()
    const { read } = connectFakeNodes([node])
    await read()
    node.setBehaviour(respondError({ code: -32601, message: 'the method does not exist' }))
    expect((await read()).code).toBe('svc/upstream-error')
    expect(countReads(node)).toBe(2)
  })

  it('a client that disconnects ends its read at once, and no further node is requested for it', async () => {
    const { first, second, readFor, elapse } = await connectTwo()
    first.setBehaviour(neverRespond)
    const closing = new AbortController()
    setTimeout(() => closing.abort(), 50)
    expect(await readFor(closing)).toMatchObject({ code: 'svc/invalid-request', tookMs: 50 })
    await elapse(10_000)
    expect([countReads(first), countReads(second)]).toEqual([2, 0])
  })

  it.each([
    ['responds after two seconds', respondAfter(2000)],
    ['never responds', neverRespond],
    ['begins a response and never finishes it', neverFinish],
  ])('a read of a node that %s goes to the next node after 1.5 s, and the next read at once', async (_, behaviour) => {
    const { first, second, read, reports } = await connectTwo()
    first.setBehaviour(behaviour)
    expect(await read()).toMatchObject({ code: 'ok', tookMs: 1500 })
    expect(reports).toMatchObject([{ position: 1, state: 'unavailable', code: 'svc/upstream-timeout' }])
    expect(await read()).toMatchObject({ code: 'ok', tookMs: 0 })
    expect([countReads(first), countReads(second)]).toEqual([2, 2])
  })

  it('a slow node that answers before the next node has no fault', async () => {
    const { first, second, read, reports } = await connectTwo()
    first.setBehaviour(respondAfter(2000))
    second.setBehaviour(respondAfter(1000))
    expect(await read()).toMatchObject({ code: 'ok', tookMs: 2000 })
    expect([countReads(first), countReads(second)]).toEqual([2, 1])
    expect(reports).toEqual([])
  })

  it('a slow node decides if the next node fails, and a node that lags is not asked meanwhile', async () => {
    const [first, second, third] = [createFakeNode(), createFakeNode(), createFakeNode()]
    const { read, rpc } = connectFakeNodes([first, second, third])
    await read()
    rpc.nodes[2]?.setLagging()
    first.setBehaviour(respondAfter(2000))
    second.setBehaviour(breakConnection)
    expect(await read()).toMatchObject({ code: 'ok', tookMs: 2000 })
    expect([first, second, third].map(countReads)).toEqual([2, 1, 0])
  })

  it('a call that reverts on the next node of a slow one has its answer', async () => {
    const { first, second, rpc, run } = await connectTwo()
    first.setBehaviour(neverRespond)
    second.setBehaviour(onlyFor('eth_call', respondError({ code: 3, message: 'execution reverted' })))
    const call = () => rpc.client.request({ method: 'eth_call', params: [{ data: '0x' }, 'latest'] })
    expect(await run(call())).toMatchObject({ code: 'svc/upstream-error', tookMs: 1500 })
    expect([first.count('eth_call'), second.count('eth_call')]).toEqual([1, 1])
  })

  it.each([1, 2, 3, 5])('a read takes ten seconds at most over %i nodes that never respond', async (count) => {
    const nodes = Array.from({ length: count }, createFakeNode)
    const { read } = connectFakeNodes(nodes)
    await read()
    for (const node of nodes) node.setBehaviour(neverRespond)
    const { code, tookMs } = await read()
    expect(code).toBe('svc/upstream-timeout')
    expect(tookMs).toBeLessThanOrEqual(10_000)
  })
})
