import { keccak256, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { breakOff, errorOf, takeAnd } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { signTransfer } from './signTransfer.ts'
import { codeOf, useUpstreams, type OpenedChain } from './startUpstreams.ts'

// Other faults and the time limit are proven on a fake clock: packages/chain/src/selection/createTransactionSender.test.ts.
const upstreams = useUpstreams()

it('a transaction is mined once if a node takes it and then breaks the connection', async () => {
  const { first, second, open } = upstreams
  const { bytes, send, countMined } = await signAndCount(open())
  first.setAnswer(takeAnd(breakOff))
  expect(await codeOf(send())).toBe('ok')
  expect([countSends(first, bytes), countSends(second, bytes)]).toEqual([1, 0])
  expect(await countMined()).toBe(1)
})

it('a transaction goes to the next node, once, if the first cannot be reached', async () => {
  const { first, second, open } = upstreams
  const { bytes, send, countMined } = await signAndCount(open())
  await first.close()
  expect(await codeOf(send())).toBe('ok')
  expect(countSends(second, bytes)).toBe(1)
  expect(await countMined()).toBe(1)
})

it('a transaction that one node rejects is sent, once, if the next node takes it', async () => {
  const { first, second, open } = upstreams
  const { bytes, send, countMined } = await signAndCount(open())
  first.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message: 'nonce too low' }))
  expect(await codeOf(send())).toBe('ok')
  expect([countSends(first, bytes), countSends(second, bytes), await countMined()]).toEqual([1, 1, 1])
})

it('error: a transaction that both nodes reject has the error of the first node, after five requests', async () => {
  const { first, second, open } = upstreams
  const { bytes, send, countMined } = await signAndCount(open())
  first.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message: 'replacement transaction underpriced' }))
  second.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message: 'nonce too low' }))
  const [sent, others] = [first, second].map(({ requests }) => requests.length)
  expect(await codeOf(send())).toBe('svc/underpriced')
  expect([...listRequests(first, sent), ...listRequests(second, others)]).toHaveLength(5)
  expect([countSends(first, bytes), countSends(second, bytes), await countMined()]).toEqual([1, 1, 0])
})

it('a transaction that is mined already is sent, although a node rejects it', async () => {
  const { first, open } = upstreams
  const { send, countMined } = await signAndCount(open())
  await send()
  first.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message: 'nonce too low' }))
  expect(await codeOf(send())).toBe('ok')
  expect(await countMined()).toBe(1)
})

it('a transaction that is mined already is sent, although its node rejects it and does not show it by its hash', async () => {
  const { first, open } = upstreams
  const { send, countMined } = await signAndCount(open([first.url]))
  await send()
  upstreams.answerCalls(first, async (call, callNode) =>
    call.method === 'eth_getTransactionByHash' ? { id: call.id, result: null } : await callNode(call),
  )
  expect(await codeOf(send())).toBe('ok')
  expect(await countMined()).toBe(1)
})

describe('a transaction that is pending at the end of the wait', () => {
  const open = () => upstreams.open(undefined, { broadcastWaitMs: 100, minResendWaitMs: 0 })

  it('a transaction that the first node takes and drops is sent once more, to the second node, and is mined', async () => {
    const { first, second } = upstreams
    const { bytes, send, wait, countMined } = await signAndCount(open())
    dropAtFirst(bytes)
    await send()
    expect(await wait()).toBeUndefined()
    await expect.poll(countMined, eventually).toBe(1)
    expect([countSends(first, bytes), countSends(second, bytes)]).toEqual([1, 1])
  })

  it.each(['already known', 'nonce too low'])(
    'a transaction that the second node answers with %s stays pending while its nonce is unused',
    async (message) => {
      const { second } = upstreams
      const { bytes, send, wait } = await signAndCount(open())
      dropAtFirst(bytes)
      second.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message }))
      await send()
      expect(await wait()).toBeUndefined()
      await expect.poll(() => countSends(second, bytes), eventually).toBe(1)
    },
  )

  it('a mined transaction whose first node hides it stays pending, although the second node answers nonce too low', async () => {
    const { first, second } = upstreams
    const chain = open()
    const { bytes, send, wait, countMined } = await signAndCount(chain)
    const hidden = new Set(['eth_getTransactionReceipt', 'eth_getTransactionByHash'])
    upstreams.answerCalls(first, async (call, callNode) =>
      hidden.has(call.method) ? { id: call.id, result: null } : await callNode(call),
    )
    second.setAnswer(errorOf('eth_sendRawTransaction', { code: -32000, message: 'nonce too low' }))
    await send()
    expect(await countMined()).toBe(1)
    await reachNewest(chain)
    expect(await codeOf(wait())).toBe('ok')
    await expect.poll(() => [first, second].map((node) => countSends(node, bytes)), eventually).toEqual([1, 1])
  })

  it.each([
    ['the wait is shorter than five seconds', { broadcastWaitMs: 100, minResendWaitMs: undefined }],
    ['the service stops', { broadcastWaitMs: 600_000, minResendWaitMs: 0 }],
  ])('a transaction is not sent once more if %s', async (_, settings) => {
    const chain = upstreams.open(undefined, settings)
    const { bytes, send, wait } = await signAndCount(chain)
    dropAtFirst(bytes)
    await send()
    const startedAtMs = performance.now()
    const waiting = wait()
    if (settings.broadcastWaitMs > 100) chain.stop()
    expect(await waiting).toBeUndefined()
    // A machine that stands still makes the wait longer.
    const isLong = settings.broadcastWaitMs === 100 && performance.now() - startedAtMs >= 5000
    expect(countSends(upstreams.second, bytes)).toBeLessThanOrEqual(isLong ? 1 : 0)
  })

  it('error: a transaction with a used nonce that a node behind takes is svc/nonce-too-low', async () => {
    const chain = open()
    const { bytes, send, wait, from } = await signAndCount(chain)
    const { client } = connectOwner(upstreams.chain)
    await client.setNonce({ address: from, nonce: 1 })
    await client.mine({ blocks: 1 })
    await reachNewest(chain)
    dropAtFirst(bytes)
    await send()
    // An answer of the second node after two seconds is ignored.
    await expect.poll(() => codeOf(wait()), eventually).toBe('svc/nonce-too-low')
  })
})

/** Waits until a chain has reached the newest block. */
async function reachNewest(chain: OpenedChain): Promise<void> {
  const { number } = await connectOwner(upstreams.chain).client.getBlock()
  await expect.poll(() => chain.heads.state().head?.number, eventually).toBe(number)
}

/** Makes the first node take transactions, and drop them. */
function dropAtFirst(bytes: Hex): void {
  upstreams.answerCalls(upstreams.first, async (call, callNode) =>
    call.method === 'eth_sendRawTransaction' ? { id: call.id, result: keccak256(bytes) } : await callNode(call),
  )
}

/** Signs a transfer, which can be sent any number of times. */
async function signAndCount(chain: OpenedChain) {
  const { from, signed } = await signTransfer(upstreams.chain)
  // The chain ids are verified by then.
  await chain.read()
  const transaction = await chain.transactions.decodeSigned(signed)
  return {
    bytes: transaction.serialized,
    from,
    send: () => chain.transactions.send(transaction),
    wait: () => chain.transactions.waitForReceipt(transaction),
    countMined: () => connectOwner(upstreams.chain).client.getTransactionCount({ address: from }),
  }
}

function countSends({ requests }: Proxy, serialized: string): number {
  return requests.filter(({ body }) => body.includes('eth_sendRawTransaction') && body.includes(serialized)).length
}

const sendMethods = new Set(['eth_sendRawTransaction', 'eth_getTransactionByHash'])

/** Returns the methods of the calls of a send that a node got after some requests. */
function listRequests({ requests }: Proxy, after = 0): readonly string[] {
  const methods = requests.slice(after).flatMap(({ calls }) => calls.map(({ method }) => method))
  return methods.filter((method) => sendMethods.has(method))
}
