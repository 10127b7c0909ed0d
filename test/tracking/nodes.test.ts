import { Tier } from '@agio/core'
import { keccak256, type Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../harness/createWallet.ts'
import { answerEachCall, type NodeCall, type NodeReply } from '../harness/answerEachCall.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { eventually } from '../harness/timeLimits.ts'
import { readHealth } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'

type Fields = Readonly<Record<string, unknown>>

const stack = setUp(startProxiedStack)
let owner: Owner

beforeAll(async () => {
  owner = connectOwner(stack.localnet.chains[84532])
})

afterEach(() => stack.proxies[84532].reset())

describe('a node without the tags safe and finalized', () => {
  it.each([
    ['answers them with null', { result: null }],
    ['refuses them', { error: { code: -32_000, message: 'safe block not found' } }],
    ['does not know them', { error: { code: -32_602, message: 'invalid argument 0: invalid block tag' } }],
  ])('a transaction on a node that %s is included, and final only by depth', async (_, reply) => {
    const { hash } = await send()
    answer(({ params, id }) => (params?.[0] === 'safe' || params?.[0] === 'finalized' ? { id, ...reply } : undefined))
    expect(await track({ transactionHash: hash })).toMatchObject({ status: 'included' })
    await owner.client.mine({ blocks: 150 })
    expect(await track({ transactionHash: hash })).toMatchObject({ status: 'safe', finalityProof: { by: 'depth' } })
  })
})

describe('a node that lacks what the state of a transaction follows from', () => {
  it('a transaction that was replaced among the blocks that a pruned node has is replaced', async () => {
    const { wallet, hash: winner } = await send()
    const newest = await owner.client.getBlockNumber({ cacheTime: 0 })
    prune(newest - 2n)
    const tracked = await track({ transactionHash: unseen, from: wallet.address, nonce: 0 })
    expect(tracked).toMatchObject({ status: 'replaced', replacement: { transactionHash: winner } })
  })

  it('a transaction whose nonce is used by one that a pruned node cannot find is pending, and replaced once that is final', async () => {
    const { wallet } = await send()
    for (let count = 0; count < 3; count += 1) await owner.client.mine({ blocks: 1 })
    prune(await owner.client.getBlockNumber({ cacheTime: 0 }))
    const { cursor, ...pending } = await track({ transactionHash: unseen, from: wallet.address, nonce: 0 })
    expect(pending).toMatchObject({ status: 'pending' })
    await owner.client.mine({ blocks: 1000 })
    const replaced = await track({ transactionHash: unseen, cursor })
    expect(replaced).toMatchObject({ status: 'replaced' })
    expect(replaced).not.toHaveProperty('replacement')
  })

  it('error: a block above the newest one in a forged cursor is svc/upstream-error, and no fault of the node', async () => {
    const { hash } = await send()
    const { cursor } = await forge(hash, 9_007_199_254_740_991)
    answer(({ method, id }) => (method === 'eth_getTransactionReceipt' ? { id, result: null } : undefined))
    for (let count = 0; count < 3; count += 1) {
      expect(await request({ transactionHash: hash, cursor })).toMatchObject({
        failure: { code: 'svc/upstream-error' },
      })
    }
    await expect.poll(() => readHealth(stack.url), eventually).toMatchObject({ status: 'ok' })
  })

  it('a cursor with a block that does not contain its transaction is believed without it, within the declared cost', async () => {
    const { hash } = await send()
    for (let count = 0; count < 40; count += 1) await owner.client.mine({ blocks: 1 })
    const { cursor } = await track({ transactionHash: hash })
    const content = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as unknown[]
    const forged = content.with(2, Buffer.from(unseen.slice(2), 'hex').toString('base64url')).with(7, null)
    const input = { transactionHash: unseen, cursor: Buffer.from(JSON.stringify(forged)).toString('base64url') }
    const countSent = async () => {
      const requests = await recordRequests(stack.proxies[84532], async () => {
        const tracked = await track(input)
        expect(tracked).toMatchObject({ status: 'replaced', replacement: { transactionHash: hash } })
        expect(tracked).not.toHaveProperty('reorg')
      })
      return requests.flatMap((methods) => methods.split(' ')).length
    }
    // A read that the service makes for all calls may fall into this one.
    await expect.poll(countSent, eventually).toBeLessThanOrEqual(Tier.maxCallNodeRequests)
  })

  it('error: a mined transaction whose receipt the node does not have yet is not pending', async () => {
    const { hash } = await send()
    answer(({ method, id }) => (method === 'eth_getTransactionReceipt' ? { id, result: null } : undefined))
    expect(await request({ transactionHash: hash })).toMatchObject({ failure: { code: 'svc/upstream-error' } })
    const replaced = await stack.callers.REST('transaction.buildReplace', { transactionHash: hash, kind: 'cancel' })
    expect(replaced).toMatchObject({ failure: { code: 'svc/already-mined' } })
  })

  it('error: a cancellation that the code of its sender refuses is svc/reverted', async () => {
    await owner.client.setAutomine(false)
    const { wallet, hash } = await send()
    // Reverts on every call.
    await owner.client.setCode({ address: wallet.address, bytecode: '0x60006000fd' })
    const outcome = await stack.callers.REST('transaction.buildReplace', { transactionHash: hash, kind: 'cancel' })
    expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/reverted' } })
    await owner.client.setAutomine(true)
    await owner.client.mine({ blocks: 1 })
  })
})

const unseen: Hex = `0x${'34'.repeat(32)}`

async function send() {
  const wallet = await createWallet(stack.localnet.chains[84532])
  const transfer = { to: '0x00000000000000000000000000000000000000a1', data: '0x', value: '1', chainId: 84532 } as const
  const serializedTransaction = await wallet.sign(stack.callers.REST, { ...transfer, gasLimit: '21000' })
  await owner.client.sendRawTransaction({ serializedTransaction })
  return { wallet, hash: keccak256(serializedTransaction) }
}

/** Replaces the replies of the node to some calls. */
function answer(replace: (call: NodeCall) => NodeReply | undefined): void {
  const { rpcUrl } = stack.localnet.chains[84532]
  stack.proxies[84532].setAnswer(
    answerEachCall(rpcUrl, async (call, callNode) => replace(call) ?? (await callNode(call))),
  )
}

/** Makes the node forget the state of the blocks before one. */
function prune(oldest: bigint): void {
  answer(({ method, params, id }) => {
    const block = params?.[1]
    const isPruned =
      method === 'eth_getTransactionCount' && String(block).startsWith('0x') && BigInt(String(block)) < oldest
    return isPruned ? { id, error: { code: -32_000, message: 'missing trie node' } } : undefined
  })
}

/** A cursor of a transaction that names another block. */
async function forge(transactionHash: Hex, number: number): Promise<Fields> {
  const { cursor } = await track({ transactionHash })
  const content = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as unknown[]
  const [included] = content.splice(6, 1) as [[number, string]]
  const forged = content.toSpliced(6, 0, [number, included[1]])
  return { cursor: Buffer.from(JSON.stringify(forged)).toString('base64url') }
}

async function request(input: Fields) {
  return await stack.callers.REST('transaction.track', input)
}

async function track(input: Fields): Promise<Fields> {
  const outcome = await request(input)
  expect(outcome).toMatchObject({ status: 200 })
  return outcome.data ?? {}
}
