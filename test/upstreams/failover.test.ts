import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { breakOff, error, errorOf, neverAnswer, only, reply, result, status, text } from '../stack/answers.ts'
import { codeOf, countReads, startUpstreams, type Upstreams } from './startUpstreams.ts'

const soon = { timeout: 10_000, interval: 20 }

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

it('the first node is asked, and the second is not while the first is well', async () => {
  const { first, second, open } = upstreams
  const { read } = open()
  const [before, others] = [countReads(first), countReads(second)]
  for (let count = 0; count < 10; count += 1) await read()
  expect([countReads(first) - before, countReads(second) - others]).toEqual([10, 0])
})

describe.each([
  ['breaks off', breakOff],
  ['is overloaded', status(503)],
  ['limits our rate', status(429)],
  ['does not let us in', status(403)],
  ['answers a page', text('<html>Welcome</html>', 'text/html')],
  ['answers half of some JSON', text('[{"jsonrpc":"2.0","id":1,"res')],
  ['answers nothing with status 204', status(204)],
  ['answers a word', result('garbage')],
  ['answers other ids', reply((replies) => replies.map(({ id, ...rest }) => ({ ...rest, id: id + 1 })))],
  ['has an error of its own', error({ code: -32603, message: 'internal error' })],
  ['lacks the method', error({ code: -32601, message: 'the method does not exist' })],
  ['lacks the block', error({ code: -32602, message: 'unknown block' })],
] as const)('a node that %s', (_, answer) => {
  it('has the next one asked at once, after itself', async () => {
    const { first, second, open } = upstreams
    const { read } = open()
    await read()
    first.setAnswer(answer)
    const [asked, others, startedAtMs] = [countReads(first), countReads(second), performance.now()]
    await read()
    expect([countReads(first) - asked, countReads(second) - others]).toEqual([1, 1])
    // A second round would begin after a tenth of a second at the earliest.
    const receivedAtMs = second.requests.findLast(({ calls }) => calls.length > 1)?.receivedAtMs ?? Infinity
    expect(receivedAtMs - startedAtMs).toBeLessThan(90)
  })
})

it.each([
  ['reverts', { code: 3, message: 'execution reverted' }],
  ['runs out of gas', { code: -32000, message: 'out of gas' }],
  ['cannot be made with these parameters', { code: -32602, message: 'invalid argument 0' }],
])('a call that %s is not asked of another node', async (_, fault) => {
  const { first, second, open } = upstreams
  const { read } = open()
  await read()
  first.setAnswer(errorOf('eth_getTransactionCount', fault))
  const [asked, others] = [countReads(first), countReads(second)]
  expect(await codeOf(read())).toBe('svc/upstream-error')
  expect([countReads(first) - asked, countReads(second) - others]).toEqual([1, 0])
})

it('what all nodes fail at is asked of each once more, after a tenth to a quarter of a second', async () => {
  const { first, second, open } = upstreams
  const { read } = open()
  await read()
  for (const proxy of [first, second]) proxy.setAnswer(only('eth_getTransactionCount', status(503)))
  const [asked, others, after] = [countReads(first), countReads(second), first.requests.length]
  expect(await codeOf(read())).toBe('svc/upstream-unavailable')
  expect([countReads(first) - asked, countReads(second) - others]).toEqual([2, 2])
  const reads = first.requests.slice(after).filter(({ body }) => body.includes('eth_getTransactionCount'))
  const waitedMs = (reads[1]?.receivedAtMs ?? 0) - (reads[0]?.receivedAtMs ?? 0)
  expect(waitedMs).toBeGreaterThan(95)
})

it('what one node has refused is not asked of it again', async () => {
  const { first, open } = upstreams
  const { read } = open([first.url])
  await read()
  first.setAnswer(error({ code: -32601, message: 'the method does not exist' }))
  const asked = countReads(first)
  expect(await codeOf(read())).toBe('svc/upstream-error')
  expect(countReads(first) - asked).toBe(1)
})

it('who took too long is not asked again, and the next one is asked after four seconds', async () => {
  const { first, second, open } = upstreams
  const { read } = open()
  await read()
  first.setAnswer(neverAnswer)
  const [asked, startedAtMs] = [countReads(first), performance.now()]
  await read()
  expect(performance.now() - startedAtMs).toBeGreaterThan(3900)
  expect(countReads(first) - asked).toBe(1)
  second.setAnswer(neverAnswer)
  const others = countReads(second)
  expect(await codeOf(read())).toBe('svc/upstream-timeout')
  expect(countReads(second) - others).toBe(1)
})

it('traffic returns to the first node once it is well, and leaves the second', async () => {
  const { first, second, open } = upstreams
  const { read, reports } = open()
  await read()
  await first.close()
  await expect.poll(async () => (await read(), reports.length), soon).toBe(1)
  expect(reports[0]).toMatchObject({ position: 1, state: 'unavailable', code: 'svc/upstream-unavailable' })
  const asked = first.requests.length
  await first.reopen()
  const reopenedAtMs = performance.now()
  await expect.poll(() => reports.at(-1), soon).toMatchObject({ position: 1, state: 'healthy' })
  expect(performance.now() - reopenedAtMs).toBeLessThan(5000)
  // It was the probe that found it, not a caller.
  const probe = first.requests.slice(asked, asked + 2).flatMap(({ calls }) => calls.map(({ method }) => method))
  expect(probe.toSorted()).toEqual(['eth_chainId', 'eth_getBlockByNumber'])
  const [reads, others] = [countReads(first), countReads(second)]
  for (let count = 0; count < 5; count += 1) await read()
  expect([countReads(first) - reads, countReads(second) - others]).toEqual([5, 0])
})
