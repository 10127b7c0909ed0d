import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { answerEachCall, type NodeCall, type NodeReply } from '../harness/answerEachCall.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { anyAccount, codeOf, startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
/** Two mined transactions. */
let [asked, other]: Hex[] = []

beforeAll(async () => {
  upstreams = await startUpstreams()
  const { client } = connectOwner(upstreams.chain)
  ;[asked, other] = [await send(), await send()]

  async function send(): Promise<Hex> {
    return (await sendTransaction(client, { to: anyAccount, value: 1n })).transactionHash
  }
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

/** Makes the first node answer one method by the answer to another parameter. */
function confuse(method: string, parameter: unknown): void {
  const toOther = (call: NodeCall) => (call.method === method ? { ...call, params: [parameter] } : call)
  const { first, chain } = upstreams
  first.setAnswer(answerEachCall(chain.rpcUrl, (call, callNode) => callNode(toOther(call))))
}

describe('a first node that answers with another transaction or block', () => {
  it('a receipt of another transaction is a fault of its node, and the next node answers', async () => {
    const { chain } = upstreams
    const { blockHash } = await connectOwner(chain).client.getTransactionReceipt({ hash: asked as Hex })
    const opened = upstreams.open()
    confuse('eth_getTransactionReceipt', other)
    const { state } = await opened.transactions.track({ hash: asked as Hex })
    expect(state).toMatchObject({ status: 'mined', block: { hash: blockHash } })
    const status = await opened.transactions.readStatus(asked as Hex)
    expect(status).toMatchObject({ status: 'success', receipt: { blockHash } })
  })

  it('without another node, a receipt of another transaction is svc/upstream-error', async () => {
    const opened = upstreams.open([upstreams.first.url])
    await opened.read()
    confuse('eth_getTransactionReceipt', other)
    expect(await codeOf(opened.transactions.track({ hash: asked as Hex }))).toBe('svc/upstream-error')
  })

  it('a transaction with another hash is a fault of its node, and the next node answers', async () => {
    const opened = upstreams.open()
    confuse('eth_getTransactionByHash', other)
    const { facts } = await opened.transactions.track({ hash: asked as Hex })
    const { nonce } = await connectOwner(upstreams.chain).client.getTransaction({ hash: asked as Hex })
    expect(facts?.nonce).toBe(nonce)
  })
})

describe('the receipt of a final transaction', () => {
  const failed = { status: '0x0', logs: [] }
  const track = async (chain: ReturnType<Upstreams['open']>) => {
    const { state } = await chain.transactions.track({ hash: asked as Hex })
    return state.status === 'mined' ? state : undefined
  }

  it('a receipt that two nodes have is final with two witnesses, and a lone node is believed', async () => {
    const { first, open } = upstreams
    expect(await track(open())).toMatchObject({ finality: 'finalized', witnesses: 2 })
    const alone = await track(open([first.url]))
    expect(alone).toMatchObject({ finality: 'finalized' })
    expect(alone).not.toHaveProperty('witnesses')
  })

  it('a receipt that the other node contradicts is not final, the nodes are suspect, and quotes stop if they shall', async () => {
    const { first, chain, open } = upstreams
    const opened = open(undefined, { stopsOnDisagreement: true })
    opened.nodes.assertAgreed()
    first.setAnswer(
      answerEachCall(chain.rpcUrl, async (call, callNode) => {
        const reply = await callNode(call)
        if (call.method !== 'eth_getTransactionReceipt') return reply
        return { ...reply, result: { ...(reply.result as object), ...failed } }
      }),
    )
    expect(await track(opened)).toMatchObject({ finality: 'safe', receipt: { status: 'failed' } })
    expect([opened.nodes.isSuspect(), opened.nodes.countDoubts('receipt')]).toEqual([true, 1])
    expect(() => opened.nodes.assertAgreed()).toThrow('Cannot quote a conversion: the nodes of the chain disagree')
    const reporting = open()
    await track(reporting)
    expect(reporting.nodes.isSuspect()).toBe(true)
    reporting.nodes.assertAgreed()
  })

  it('a receipt is not final if its block has another time at the other node', async () => {
    const { first, chain, open } = upstreams
    const opened = open()
    first.setAnswer(
      answerEachCall(chain.rpcUrl, async (call, callNode) => {
        const reply = await callNode(call)
        if (call.method !== 'eth_getBlockByHash') return reply
        return { ...reply, result: { ...(reply.result as object), timestamp: '0x1' } }
      }),
    )
    expect(await track(opened)).toMatchObject({ finality: 'safe', block: { timestampSeconds: 1n } })
    expect([opened.nodes.isSuspect(), opened.nodes.countDoubts('receipt')]).toEqual([true, 1])
  })

  it('a receipt is not final by the tag of one node while another node has an earlier final block', async () => {
    const { first, second, chain } = upstreams
    const opened = upstreams.open()
    // The first node reports each block as final, as the chain does. The second node reports none of them.
    second.setAnswer(
      answerEachCall(chain.rpcUrl, async (call, callNode) => {
        const [tag, ...params] = call.params ?? []
        return await callNode(tag === 'finalized' ? { ...call, params: ['0x0', ...params] } : call)
      }),
    )
    expect(await track(opened)).toMatchObject({ finality: 'safe', receipt: { status: 'success' } })
    expect(await opened.transactions.track({ hash: other as Hex })).toMatchObject({ state: { finality: 'safe' } })
    expect([first.requests.length > 0, opened.nodes.isSuspect()]).toEqual([true, false])
  })

  it('an invented receipt is not final while another node has another block at its number', async () => {
    const { first, chain } = upstreams
    const opened = upstreams.open()
    const { client } = connectOwner(chain)
    await client.setAutomine(false)
    onTestFinished(async () => {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    })
    const pending = await client.sendTransaction({ to: anyAccount, value: 1n, chain: null })
    first.setAnswer(
      answerEachCall(chain.rpcUrl, async (call, callNode) => {
        const reply = await callNode(call)
        if (call.params?.[0] !== pending) return reply
        const { blockHash, blockNumber, ...mined } = await readReceipt(callNode, call)
        if (call.method === 'eth_getTransactionByHash')
          return { ...reply, result: { ...(reply.result as object), blockHash, blockNumber } }
        return { ...reply, result: { ...mined, blockHash, blockNumber, transactionHash: pending, logs: [] } }
      }),
    )
    const { state } = await opened.transactions.track({ hash: pending })
    expect(state).toMatchObject({ status: 'mined', finality: 'safe' })
    expect(opened.nodes.countDoubts('receipt')).toBe(1)
  })

  /** Reads the receipt of the mined transaction, from the chain. */
  async function readReceipt(callNode: (call: NodeCall) => Promise<NodeReply>, { id }: NodeCall) {
    const { result } = await callNode({ id, method: 'eth_getTransactionReceipt', params: [asked] })
    return result as { readonly blockHash: Hex; readonly blockNumber: Hex }
  }
})
