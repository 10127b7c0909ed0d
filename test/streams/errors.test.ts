import { keccak256, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { advanceClock } from '../harness/advanceClock.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createWallet } from '../harness/createWallet.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'
import { openStream } from './openStream.ts'

const stack = setUp(startProxiedStack)
let owner: Owner

beforeAll(async () => {
  owner = connectOwner(stack.localnet.chains[84532])
})

afterEach(() => stack.proxies[84532].reset())

afterAll(() => void vi.restoreAllMocks())

const unseen: Hex = `0x${'34'.repeat(32)}`

it('a topic whose cursor has a block that does not contain its transaction names the transaction that used the nonce, without an error', async () => {
  const { hash } = await send()
  const { data } = await stack.callers.REST('transaction.track', { transactionHash: hash })
  const content = JSON.parse(Buffer.from(String(data?.['cursor']), 'base64url').toString()) as unknown[]
  const forged = content.with(2, Buffer.from(unseen.slice(2), 'hex').toString('base64url')).with(7, null)
  const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url')
  await using stream = await open({ transactionHash: unseen, cursor })
  const event = await stream.waitForTopic('transaction')
  expect(event.data).toMatchObject({ status: 'replaced', replacement: { transactionHash: hash } })
})

it('for a topic whose reads fail, the nodes are asked at growing intervals, not at each block, and the transaction is told once they answer', async () => {
  const { hash } = await send()
  hideReceipts()
  await using stream = await open({ transactionHash: hash })
  await stream.waitFor(({ data }) => 'error' in data)
  const countPolls = () => stack.proxies[84532].requests.filter(({ body }) => body.includes(hash)).length
  const first = countPolls()
  const startMs = performance.now()
  for (let count = 0; count < 10; count += 1) {
    await owner.client.mine({ blocks: 1 })
    await waitForBlock(stack.url, stack.localnet.chains[84532])
  }
  // One poll may be in flight. The next ones follow after 1, 2, 4… seconds. Each has two attempts with two requests.
  const maxPolls = 1 + Math.log2(1 + (performance.now() - startMs) / 1000)
  expect(countPolls() - first).toBeLessThanOrEqual(maxPolls * 4)
  expect(stream.events).toHaveLength(1)
  stack.proxies[84532].reset()
  advanceClock(10_000)
  await stream.waitFor(({ data }) => data['status'] === 'finalized')
})

it('a block that contains the transaction is told although the poll of it failed', async () => {
  const { hash, serializedTransaction } = await sign()
  await using stream = await open({ transactionHash: hash })
  await stream.waitFor(({ data }) => 'error' in data)
  hideReceipts()
  await owner.client.sendRawTransaction({ serializedTransaction })
  await stream.waitFor(({ data }) => data['error'] !== undefined && JSON.stringify(data).includes('upstream-error'))
  stack.proxies[84532].reset()
  advanceClock(10_000)
  await stream.waitFor(({ data }) => data['status'] === 'finalized')
})

function open(topic: object) {
  return openStream(stack.url, { topics: [{ topic: 'transaction', ...topic }], apiKey })
}

function hideReceipts(): void {
  const { rpcUrl } = stack.localnet.chains[84532]
  stack.proxies[84532].setAnswer(
    answerEachCall(rpcUrl, async (call, callNode) =>
      call.method === 'eth_getTransactionReceipt' ? { id: call.id, result: null } : await callNode(call),
    ),
  )
}

async function sign() {
  const wallet = await createWallet(stack.localnet.chains[84532])
  const transfer = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
  const serializedTransaction = await wallet.sign(stack.callers.REST, transfer)
  return { serializedTransaction, hash: keccak256(serializedTransaction) }
}

async function send() {
  const signed = await sign()
  await owner.client.sendRawTransaction({ serializedTransaction: signed.serializedTransaction })
  return signed
}
