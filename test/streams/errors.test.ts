import type { Hex } from 'viem'
import { afterEach, expect, it } from 'vitest'
import { advanceClock } from '../harness/advanceClock.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUpStreams } from './setUpStreams.ts'

const streaming = setUpStreams(startProxiedStack)
const { sign, send } = streaming
const open = (topic: object) => streaming.open([{ topic: 'transaction', ...topic }])

afterEach(() => streaming.stack.proxies[84532].reset())

const unseen: Hex = `0x${'34'.repeat(32)}`

it('a topic whose cursor has a block that does not contain its transaction names the transaction that used the nonce, without an error', async () => {
  const { hash } = await send()
  const { data } = await streaming.stack.callers.REST('transaction.track', { transactionHash: hash })
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
  const countPolls = () => streaming.stack.proxies[84532].requests.filter(({ body }) => body.includes(hash)).length
  const first = countPolls()
  const startMs = performance.now()
  for (let count = 0; count < 10; count += 1) {
    await streaming.owner.client.mine({ blocks: 1 })
    await waitForBlock(streaming.stack.url, streaming.localnet.chains[84532])
  }
  // One poll may be in flight. The next ones follow after 1, 2, 4… seconds. Each has two attempts with two requests.
  const maxPolls = 1 + Math.log2(1 + (performance.now() - startMs) / 1000)
  expect(countPolls() - first).toBeLessThanOrEqual(maxPolls * 4)
  expect(stream.events).toHaveLength(1)
  streaming.stack.proxies[84532].reset()
  advanceClock(10_000)
  await stream.waitFor(({ data }) => data['status'] === 'finalized')
})

it('a block that contains the transaction is told although the poll of it failed', async () => {
  const { hash, signed: serializedTransaction } = await sign()
  await using stream = await open({ transactionHash: hash })
  await stream.waitFor(({ data }) => 'error' in data)
  hideReceipts()
  await streaming.owner.client.sendRawTransaction({ serializedTransaction })
  await stream.waitFor(({ data }) => data['error'] !== undefined && JSON.stringify(data).includes('upstream-error'))
  streaming.stack.proxies[84532].reset()
  advanceClock(10_000)
  await stream.waitFor(({ data }) => data['status'] === 'finalized')
})

function hideReceipts(): void {
  const { rpcUrl } = streaming.localnet.chains[84532]
  streaming.stack.proxies[84532].setAnswer(
    answerEachCall(rpcUrl, async (call, callNode) =>
      call.method === 'eth_getTransactionReceipt' ? { id: call.id, result: null } : await callNode(call),
    ),
  )
}
