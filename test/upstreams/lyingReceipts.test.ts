import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerEachCall, type NodeCall } from '../harness/answerEachCall.ts'
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
