import type { TransactionFacts } from '@agio/chain'
import { Tier } from '@agio/core'
import { getAddress, numberToHex, zeroHash, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { advanceClock } from '../harness/advanceClock.ts'
import type { NodeCall } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { anyAccount, codeOf, useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()
/** A mined transaction, with its sender and nonce. */
let hash: Hex
let facts: TransactionFacts

const unseen: Hex = `0x${'34'.repeat(32)}`

beforeAll(async () => {
  const { client } = connectOwner(upstreams.chain)
  hash = (await sendTransaction(client, { to: anyAccount, value: 1n })).transactionHash
  const { from, nonce } = await client.getTransaction({ hash })
  facts = { from: getAddress(from), nonce }
})

// The chains have stopped by then.
afterAll(() => void vi.restoreAllMocks())

/** Makes a node hide the transaction and report another nonce of its sender. */
function hide(
  count: number,
  { proxy = upstreams.first, isHidden = () => true, lie = () => undefined }: Lies = {},
): void {
  const hidden = new Set(['eth_getTransactionByHash', 'eth_getTransactionReceipt'])
  upstreams.answerCalls(proxy, async (call, callNode) => {
    if (hidden.has(call.method)) return { id: call.id, result: null }
    if (call.method === 'eth_getTransactionCount' && isHidden(call)) return { id: call.id, result: numberToHex(count) }
    const reply = await callNode(call)
    const changes = lie(call)
    return changes ? { ...reply, result: { ...(reply.result as object), ...changes } } : reply
  })
}

type Lies = {
  readonly proxy?: Proxy
  /** Whether the node lies about a nonce; always by default. */
  readonly isHidden?: (call: NodeCall) => boolean
  /** Returns the changes of another answer. */
  readonly lie?: (call: NodeCall) => unknown
}

/** The facts of a transaction with the sender of the mined one. Its deadline has passed. */
const expired = (nonce: number): TransactionFacts => {
  return { from: facts.from, nonce, call: { callHash: zeroHash, deadlineSeconds: 1n } }
}

describe('a first node that hides a mined transaction', () => {
  it.each([
    ['its nonce is used by no known transaction', 1000],
    ['its nonce is unused and its deadline has passed', 0],
  ])('the transaction is not over if the node says that %s, but has the state at the other node', async (_, count) => {
    const opened = upstreams.open()
    await opened.pools.getSnapshot()
    hide(count)
    const { state } = await opened.transactions.track({ hash, facts: expired(facts.nonce) })
    expect(state).toMatchObject({ status: 'mined', finality: 'safe', receipt: { status: 'success' } })
    expect([opened.nodes.isSuspect(), opened.nodes.countDoubts('receipt')]).toEqual([true, 1])
  })

  it('a transaction that was final has not left its block while the other node has the block', async () => {
    const opened = upstreams.open()
    const final = await opened.transactions.track({ hash, facts })
    expect(final.state).toMatchObject({ finality: 'finalized', witnesses: 2 })
    const number = numberToHex(final.facts?.included?.number ?? 0n)
    hide(0, { lie: ({ params }) => (params?.[0] === number ? { hash: zeroHash } : undefined) })
    const tracked = await opened.transactions.track({ hash, facts: final.facts })
    expect(tracked).toMatchObject({ state: { finality: 'finalized', witnesses: 2 } })
    expect(tracked).not.toHaveProperty('left')
    expect(opened.nodes.countDoubts('receipt')).toBe(1)
  })
})

describe('a first node that says that a mined transaction is pending', () => {
  it.each([
    ['its sender and nonce', () => facts],
    ['its hash alone', () => undefined],
  ])('the first poll by %s finds it at the other node, and so do the next polls', async (_, identify) => {
    const opened = upstreams.open()
    await opened.pools.getSnapshot()
    hide(0)
    const mined = { status: 'mined', receipt: { status: 'success' } }
    const tracked = await opened.transactions.track({ hash, facts: identify(), observed: true })
    expect(tracked.state).toMatchObject(mined)
    expect(tracked.facts).toMatchObject(facts)
    const next = await opened.transactions.track({ hash, facts: tracked.facts, observed: true })
    expect(next.state).toMatchObject(mined)
    expect(next).not.toHaveProperty('left')
  })

  it('a call finds it too, and a lone node is believed', async () => {
    const opened = upstreams.open()
    hide(0)
    expect((await opened.transactions.track({ hash })).state).toMatchObject({ status: 'mined' })
    const alone = upstreams.open([upstreams.first.url])
    const { state } = await alone.transactions.track({ hash, facts })
    expect(state).toEqual({ status: 'pending', visibility: 'hidden' })
  })

  it('a poll of a transaction that neither node has sends one request to the other node, within its charge', async () => {
    const opened = upstreams.open()
    await opened.pools.getSnapshot()
    const { first, second } = upstreams
    const unused = { from: facts.from, nonce: facts.nonce + 100 }
    const poll = () => opened.transactions.track({ hash: unseen, facts: unused, observed: true })
    await poll()
    const counts = [first, second].map(countCalls)
    expect((await poll()).state).toEqual({ status: 'pending', visibility: 'hidden' })
    const [sent, asked] = [first, second].map((proxy, index) => countCalls(proxy) - (counts[index] ?? 0))
    expect(asked).toBe(1)
    expect((sent ?? 0) + (asked ?? 0)).toBeLessThanOrEqual(Tier.observationNodeRequests)
  })
})

/** Returns the number of calls that a node got for transactions. */
function countCalls({ requests }: Proxy): number {
  const isOfTransaction = ({ method }: { readonly method: string }) => /Transaction/.test(method)
  return requests.flatMap(({ calls }) => calls).filter(isOfTransaction).length
}

describe('a transaction that no node has', () => {
  it('it is not dropped because one node announces a block after its deadline', async () => {
    const opened = upstreams.open()
    const { block } = await opened.pools.getSnapshot()
    let isTracking = false
    upstreams.answerCalls(upstreams.first, async (call, callNode) => {
      if (call.method === 'eth_getTransactionByHash') isTracking = true
      const reply = await callNode(call)
      if (!isTracking || call.params?.[0] !== 'latest') return reply
      isTracking = false
      return {
        ...reply,
        result: { ...(reply.result as object), timestamp: numberToHex(block.timestampSeconds + 3600n) },
      }
    })
    const deadlineSeconds = block.timestampSeconds + 1800n
    const pending = { ...expired(facts.nonce + 100), call: { callHash: zeroHash, deadlineSeconds } }
    const { state } = await opened.transactions.track({ hash: unseen, facts: pending })
    expect(state).toMatchObject({ status: 'pending' })
    expect(isTracking).toBe(false)
  })

  it('it is not dropped if its nonce is used at the head of the service, although the nodes that are asked are behind', async () => {
    const opened = upstreams.open()
    await opened.pools.getSnapshot()
    for (const proxy of [upstreams.first, upstreams.second]) hide(0, { proxy, isHidden: isTag })
    const { state } = await opened.transactions.track({ hash: unseen, facts: expired(facts.nonce) })
    expect(state).toMatchObject({ status: 'pending' })
  })
})

/** Returns whether a call is not for the number of a block. */
const isTag = ({ params }: NodeCall) => !String(params?.[1]).startsWith('0x')

describe('a transaction that is over', () => {
  it('a transaction is dropped if two nodes do not have it, without a doubt, and a lone node is believed', async () => {
    const { nonce } = facts
    for (const urls of [undefined, [upstreams.first.url]]) {
      const opened = upstreams.open(urls)
      await opened.pools.getSnapshot()
      const tracked = await opened.transactions.track({ hash: unseen, facts: expired(nonce + 100) })
      expect(tracked.state).toMatchObject({ status: 'dropped' })
      expect(opened.nodes.isSuspect()).toBe(false)
    }
  })

  it('without an answer of a second node it is pending for ten minutes, and a final block is not left', async () => {
    const opened = upstreams.open()
    await opened.pools.getSnapshot()
    const final = await opened.transactions.track({ hash, facts })
    await upstreams.second.close()
    const track = async () =>
      (await opened.transactions.track({ hash: unseen, facts: expired(facts.nonce + 100) })).state
    expect(await track()).toEqual({ status: 'pending', visibility: 'hidden' })
    const number = numberToHex(final.facts?.included?.number ?? 0n)
    hide(0, { lie: ({ params }) => (params?.[0] === number ? { hash: zeroHash } : undefined) })
    expect(await codeOf(opened.transactions.track({ hash, facts: final.facts }))).toBe('svc/upstream-error')
    advanceClock(600_000)
    upstreams.first.reset()
    await expect.poll(track, eventually).toMatchObject({ status: 'dropped' })
  })
})
