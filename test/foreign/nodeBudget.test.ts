import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { startForeignStack, type ForeignStack } from '../harness/startForeignStack.ts'
import { headPoll } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { toRequest } from './conversions.ts'

let stack: ForeignStack

beforeAll(async () => {
  stack = await startForeignStack()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

it.each([
  ['convert.preview', { from: 'fEUR', to: 'fAUD', amountIn: '100' }, {}],
  ['convert.ladder', { from: 'fEUR', to: 'fAUD', amountIn: undefined }, { steps: 100 }],
  ['convert.quote', { from: 'fAUD', to: 'fEUR', amountIn: undefined }, { amountOut: '100000' }],
] as const)('%s over pools that are priced on chain is charged for each request to the nodes', async (...example) => {
  const [operation, { amountIn, ...pair }, fields] = example
  const input = { ...toRequest(stack, { ...pair, amountIn: amountIn ?? '1' }), amountIn, ...fields }
  // The first call reads what all later calls share.
  await stack.callers.REST(operation, input)
  // A read that all calls share may fall into a call, and only adds to what is sent.
  const countUncharged = async () => {
    const { sent, charged } = await measure(operation, input)
    expect(sent).toBeGreaterThan(0)
    return sent - charged
  }
  await expect.poll(countUncharged, eventually).toBeLessThanOrEqual(0)
})

/** Counts the requests to the node during a call, and the node requests that its new key is charged. */
async function measure(operation: string, input: Readonly<Record<string, unknown>>) {
  const { key } = await createAdminClient(stack.url).issue()
  const before = stack.proxy.requests.length
  const call = createRestCaller({ url: stack.url, apiKey: key })
  expect(await call(operation, input)).toMatchObject({ status: 200 })
  const calls = stack.proxy.requests.slice(before).flatMap((request) => request.calls)
  // A poll for the newest block may be in one request with a call.
  return { sent: calls.filter(({ method }) => method !== headPoll).length, charged: await readCharged(key) }
}

async function readCharged(key: string): Promise<number> {
  const { body } = await request(`${stack.url}/api/v1/usage`, { headers: { 'x-api-key': key } })
  const { data } = (await body.json()) as { data: { nodeRequests: { used: number } } }
  return data.nodeRequests.used
}
