import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { startReceiver, type Receiver } from './startReceiver.ts'

let stack: ProxiedStack
let receiver: Receiver

beforeAll(async () => {
  stack = await startProxiedStack({ ownDatabase: true, webhookTargets: 'local' })
  receiver = await startReceiver()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

/** Returns the number of blocks that were read with their transactions. */
function countFullBlocks(): number {
  const calls = stack.proxies[84532].requests.flatMap(({ body }) => [JSON.parse(body) as Call | Call[]].flat())
  return calls.filter(({ method, params }) => method === 'eth_getBlockByHash' && params[1] === true).length
}

type Call = { readonly method: string; readonly params: readonly unknown[] }

it('no block is read with its transactions for a webhook that waits for no transaction', async () => {
  const chain = stack.localnet.chains[84532]
  expect(await stack.callers.REST('webhooks.create', { url: receiver.url })).toMatchObject({ status: 200 })
  const { client, address } = connectOwner(chain)
  for (const count of [1, 2]) {
    const { transactionHash } = await sendTransaction(client, { to: address })
    await waitForBlock(stack.url, chain)
    // The transaction is final at once, so the watch has ended. The observer has compared the new block before it records
    // the event.
    expect(await stack.callers.REST('webhooks.watch', { transactionHash })).toMatchObject({ status: 200 })
    await expect.poll(() => receiver.types(), eventually).toHaveLength(count)
  }
  expect(countFullBlocks()).toBe(0)
})
