import type { Hex } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { anyAccount, useUpstreams } from './startUpstreams.ts'

// Each contradiction, and what follows from it, is proven by packages/chain/src/tracking/createWitnesses.test.ts.

const upstreams = useUpstreams()
/** Two mined transactions. */
let hashes: readonly Hex[] = []

beforeAll(async () => {
  const { client } = connectOwner(upstreams.chain)
  const send = async () => (await sendTransaction(client, { to: anyAccount, value: 1n })).transactionHash
  hashes = [await send(), await send()]
})

it('a receipt of another transaction is a fault of its node, and the next node answers', async () => {
  const [hash, other] = hashes as readonly [Hex, Hex]
  const { blockHash } = await connectOwner(upstreams.chain).client.getTransactionReceipt({ hash })
  const { transactions } = upstreams.open()
  upstreams.answerCalls(upstreams.first, (call, callNode) =>
    callNode(call.method === 'eth_getTransactionReceipt' ? { ...call, params: [other] } : call),
  )
  expect(await transactions.track({ hash })).toMatchObject({ state: { status: 'mined', block: { hash: blockHash } } })
  expect(await transactions.readStatus(hash)).toMatchObject({ status: 'success', receipt: { blockHash } })
})

it('a failure that the other node contradicts is not reported, the nodes are suspect, and quotes stop if they shall', async () => {
  const [hash] = hashes as readonly [Hex]
  const [stopping, reporting] = [upstreams.open(undefined, { stopsOnDisagreement: true }), upstreams.open()]
  stopping.nodes.assertAgreed()
  sayFailed(upstreams.first)
  const { state } = await stopping.transactions.track({ hash })
  expect(state).not.toMatchObject({ receipt: { status: 'failed' } })
  expect(await stopping.transactions.readStatus(hash)).toEqual({ status: 'pending' })
  expect(stopping.nodes.isSuspect()).toBe(true)
  expect(() => stopping.nodes.assertAgreed()).toThrow('Cannot quote a conversion: the nodes of the chain disagree')
  await reporting.transactions.track({ hash })
  expect(reporting.nodes.isSuspect()).toBe(true)
  reporting.nodes.assertAgreed()
})

it('of three nodes, one that says that a success has failed is not believed by track, status and receipt', async () => {
  const [hash] = hashes as readonly [Hex]
  const { transactions, nodes } = upstreams.open([upstreams.first.url, upstreams.second.url, upstreams.chain.rpcUrl])
  sayFailed(upstreams.first)
  expect(await transactions.readStatus(hash)).toMatchObject({ status: 'success' })
  expect(await transactions.track({ hash })).toMatchObject({ state: { receipt: { status: 'success' } } })
  expect(nodes.countDoubts('receipt')).toBeGreaterThan(0)
})

it('a failure that two of three nodes show is reported, and is not asked about again', async () => {
  const [hash] = hashes as readonly [Hex]
  const { transactions, nodes } = upstreams.open([upstreams.first.url, upstreams.chain.rpcUrl, upstreams.second.url])
  for (const node of [upstreams.first, upstreams.second]) sayFailed(node)
  expect(await transactions.readStatus(hash)).toMatchObject({ status: 'failed' })
  const doubts = nodes.countDoubts('receipt')
  expect(await transactions.readStatus(hash)).toMatchObject({ status: 'failed' })
  expect(nodes.countDoubts('receipt')).toBe(doubts)
})

/** Makes a node say that each mined transaction has failed. */
function sayFailed(node: Proxy): void {
  upstreams.answerCalls(node, async (call, callNode) => {
    const reply = await callNode(call)
    if (call.method !== 'eth_getTransactionReceipt') return reply
    return { ...reply, result: { ...(reply.result as object), status: '0x0', logs: [] } }
  })
}
