import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { breakOff, error, errorOf, neverAnswer, status, takeAnd } from '../stack/answers.ts'
import { connectOwner } from '../stack/connectOwner.ts'
import type { Proxy } from '../stack/startProxy.ts'
import { signTransfer } from './signTransfer.ts'
import { codeOf, startUpstreams, type OpenedChain, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

describe.each([
  ['breaks off', breakOff],
  ['says that it is overloaded', status(503)],
  ['says nothing', neverAnswer],
  ['speaks of an error of its own', error({ code: -32603, message: 'internal error' })],
] as const)('a node that takes a transaction and then %s', (_, answer) => {
  it('has sent it: the other one knows its hash, and is handed nothing', async () => {
    const { first, second, open } = upstreams
    const { bytes, send, countMined } = await prepare(open())
    first.setAnswer(takeAnd(answer))
    expect(await codeOf(send())).toBe('ok')
    expect([countSends(first, bytes), countSends(second, bytes)]).toEqual([1, 0])
    expect(await countMined()).toBe(1)
  })

  it('and is the only one is asked for its hash, and handed nothing again', async () => {
    const { first, open } = upstreams
    const { bytes, send, countMined } = await prepare(open([first.url]))
    first.setAnswer(takeAnd(answer))
    expect(await codeOf(send())).toBe('ok')
    expect(countSends(first, bytes)).toBe(1)
    expect(await countMined()).toBe(1)
  })
})

it('a node that cannot be reached has the same bytes handed to the next one, once', async () => {
  const { first, second, open } = upstreams
  const { bytes, send, countMined } = await prepare(open())
  await first.close()
  expect(await codeOf(send())).toBe('ok')
  expect(countSends(second, bytes)).toBe(1)
  expect(await countMined()).toBe(1)
})

it('where none can be reached, none is handed it twice, and who fails at the hash not at all', async () => {
  const { first, second, open } = upstreams
  const { bytes, send, countMined } = await prepare(open())
  for (const proxy of [first, second]) proxy.setAnswer(status(503))
  expect(await codeOf(send())).toBe('svc/upstream-unavailable')
  expect([countSends(first, bytes), countSends(second, bytes)]).toEqual([1, 0])
  expect(await countMined()).toBe(0)
})

it('what a node refuses is handed to no other one', async () => {
  const { first, second, open } = upstreams
  const { bytes, send } = await prepare(open())
  first.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message: 'replacement transaction underpriced' }))
  expect(await codeOf(send())).toBe('svc/underpriced')
  expect([countSends(first, bytes), countSends(second, bytes)]).toEqual([1, 0])
})

it('what one node has mined already is sent, whatever another one says', async () => {
  const { first, open } = upstreams
  const { send, countMined } = await prepare(open())
  await send()
  first.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message: 'nonce too low' }))
  expect(await codeOf(send())).toBe('ok')
  expect(await countMined()).toBe(1)
})

it('two nodes that never answer keep nobody waiting for more than ten seconds', async () => {
  const { first, second, open } = upstreams
  const { send } = await prepare(open())
  for (const proxy of [first, second]) proxy.setAnswer(neverAnswer)
  const startedAtMs = performance.now()
  expect(await codeOf(send())).toBe('svc/upstream-timeout')
  expect(performance.now() - startedAtMs).toBeLessThan(10_500)
})

/** A signed transfer, to be sent any number of times. */
async function prepare(chain: OpenedChain) {
  const { from, signed } = await signTransfer(upstreams.chain)
  // Its chain is known by then.
  await chain.read()
  const transaction = await chain.decodeSigned(signed)
  return {
    bytes: transaction.serialized,
    send: () => chain.send(transaction),
    countMined: () => connectOwner(upstreams.chain).client.getTransactionCount({ address: from }),
  }
}

function countSends({ requests }: Proxy, serialized: string): number {
  const sends = requests.filter(({ body }) => body.includes('eth_sendRawTransaction') && body.includes(serialized))
  return sends.length
}
