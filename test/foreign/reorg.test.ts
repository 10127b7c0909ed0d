import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { holdRequests } from '../harness/holdRequests.ts'
import { isHeadPoll } from '../harness/startProxy.ts'
import { setForeignPrice } from './changeMarket.ts'
import { readForeignView, toRequest } from './conversions.ts'
import { startForeignStack, type ForeignStack } from '../harness/startForeignStack.ts'

let stack: ForeignStack

beforeAll(async () => {
  stack = await startForeignStack()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

it.each([
  { from: 'fEUR', to: 'fUSD', amountIn: '100' },
  { from: 'fEUR', to: 'fAUD', amountIn: '100' },
] as const)(
  'a preview whose block a reorganisation removed is retried once at the newest block: $from to $to',
  async (conversion) => {
    const preview = () => stack.callers.REST('convert.preview', toRequest(stack, conversion))
    const id = await stack.owner.client.snapshot()
    await setForeignPrice(stack, 'fEUR', 111_000_000n)
    await stack.seen()
    const before = await preview()
    expect(before).toMatchObject({ status: 200 })

    onTestFinished(() => stack.proxy.reset())
    const polls = holdRequests(stack.proxy)(isHeadPoll)
    await stack.owner.client.revert({ id })
    await setForeignPrice(stack, 'fEUR', 105_000_000n)
    const { number } = await stack.owner.client.getBlock()
    const made = preview()
    polls.pass()
    const { status, data } = await made
    expect(status).toBe(200)
    expect(data).toMatchObject({
      blockNumber: Number(number),
      amountOut: await readForeignView(stack, conversion, number),
    })
    expect(Number(data?.['amountOut'])).toBeLessThan(Number(before.data?.['amountOut']))
  },
)

it('error: svc/upstream-error if the node does not know the newest block', async () => {
  const { proxy } = stack
  const conversion = { from: 'fEUR', to: 'fUSD', amountIn: '100' } as const
  const preview = () => stack.callers.REST('convert.preview', toRequest(stack, conversion))
  expect(await preview()).toMatchObject({ status: 200 })
  onTestFinished(() => proxy.reset())
  proxy.setAnswer(async ({ body, calls }, response, callNode) => {
    const isView = calls.some(({ method }) => method === 'eth_call')
    const error = { code: -32000, message: 'header for hash not found' }
    const replies = calls.map(({ id: callId }) => ({ jsonrpc: '2.0', id: callId, error }))
    const refusal = JSON.stringify(body.startsWith('[') ? replies : replies[0])
    response.writeHead(200, { 'content-type': 'application/json' }).end(isView ? refusal : await callNode())
  })
  expect(await preview()).toMatchObject({ status: 502, failure: { code: 'svc/upstream-error' } })
})
