import { afterEach, beforeAll, expect, it } from 'vitest'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { countPerBlock } from '../harness/countPerBlock.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { headPoll } from '../harness/startProxy.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { eventually } from '../harness/timeLimits.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { setUp } from '../harness/setUp.ts'
import { startReceiver } from './startReceiver.ts'

const stack = setUp(() => startProxiedStack({ ownDatabase: true, webhookTargets: 'local' }))
let owner: Owner

beforeAll(() => void (owner = connectOwner(stack.localnet.chains[84532])))

afterEach(() => stack.proxies[84532].reset())

const count = 20
const limits = { requests: 1000, windowSeconds: 900, burstPerSecond: 100, monthlyQuota: 10_000 }

it('no block is read with its transactions for a webhook that waits for no transaction', async () => {
  await using receiver = await startReceiver()
  const chain = stack.localnet.chains[84532]
  const { requests } = stack.proxies[84532]
  const first = requests.length
  expect(await stack.callers.REST('webhooks.create', { url: receiver.url })).toMatchObject({ status: 200 })
  for (const events of [1, 2]) {
    const { transactionHash } = await sendTransaction(owner.client, { to: owner.address })
    await waitForBlock(stack.url, chain)
    // The transaction is final at once, so the watch has ended. The observer has compared the new block before it records
    // the event.
    expect(await stack.callers.REST('webhooks.watch', { transactionHash })).toMatchObject({ status: 200 })
    await expect.poll(() => receiver.types(), eventually).toHaveLength(events)
  }
  const calls = requests.slice(first).flatMap(({ body }) => [JSON.parse(body) as Call | Call[]].flat())
  expect(calls.filter(({ method, params }) => method === 'eth_getBlockByHash' && params[1] === true)).toEqual([])
})

type Call = { readonly method: string; readonly params: readonly unknown[] }

it(`a block costs the same with ${count} mined transactions that a webhook follows until it makes them more final, and the key pays for their events`, async () => {
  await using receiver = await startReceiver()
  const { key } = await createAdminClient(stack.url).issue(limits)
  const call = createRestCaller({ url: stack.url, apiKey: key })
  await call('webhooks.create', { url: receiver.url })
  const used = async () => {
    const { data } = await call('usage.get', {})
    return (data?.['nodeRequests'] as { readonly used: number }).used
  }
  const tags = holdTags()
  const quiet = await countPerBlock(stack, isNoPoll)
  const hashes: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { transactionHash } = await sendTransaction(owner.client, { to: owner.address })
    hashes.push(transactionHash)
  }
  await waitForBlock(stack.url, stack.localnet.chains[84532])
  for (const transactionHash of hashes) await call('webhooks.watch', { transactionHash })
  await expect.poll(() => receiver.types(), eventually).toHaveLength(count)
  const usedBefore = await used()
  // The block with its transactions, for all transactions together. The tags count as polls.
  expect((await countPerBlock(stack, isNoPoll)) - quiet).toBeLessThanOrEqual(2)
  expect((await used()) - usedBefore).toBe(0)
  await tags.raise('safe')
  await expect.poll(() => receiver.types(), eventually).toHaveLength(2 * count)
  await tags.raise('finalized')
  await expect.poll(() => receiver.types(), eventually).toHaveLength(3 * count)
  expect(countTypes(receiver.types())).toEqual({
    'transaction.included': count,
    'transaction.safe': count,
    'transaction.finalized': count,
  })
  expect((await used()) - usedBefore).toBe(2 * count * 5)
})

/** Keeps the blocks of the tags `safe` and `finalized` at block 1 until they are raised to the newest one. */
function holdTags() {
  const { rpcUrl } = stack.localnet.chains[84532]
  const held = new Set(['safe', 'finalized'])
  stack.proxies[84532].setAnswer(
    answerEachCall(rpcUrl, async (call, callNode) => {
      const [tag, ...params] = call.params ?? []
      return await callNode(held.has(String(tag)) ? { ...call, params: ['0x1', ...params] } : call)
    }),
  )
  return {
    async raise(tag: 'safe' | 'finalized') {
      held.delete(tag)
      await owner.client.mine({ blocks: 1 })
    },
  }
}

/** Whether a method is not a poll. */
const isNoPoll = (method: string) => method !== headPoll && method !== 'eth_chainId'

function countTypes(types: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from(new Set(types), (type) => [type, types.filter((each) => each === type).length]))
}
