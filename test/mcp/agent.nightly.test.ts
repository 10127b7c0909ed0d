import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectAgent } from './connectAgent.ts'
import { createAgent, loseBroadcast } from './createAgent.ts'

let agio: AgioStack
beforeAll(async () => {
  agio = await startAgio({ nodeTimeoutMs: 2000, broadcastWaitMs: 200 })
})
afterAll(() => agio?.stop())
afterEach(() => agio.scenarios.reset())

const connections = [
  { era: 'older', transport: 'http' },
  { era: 'newer', transport: 'http' },
  { era: 'older', transport: 'stdio' },
  { era: 'newer', transport: 'stdio' },
] as const

describe.each(connections)('an agent that follows only descriptions and errors, $era over $transport', (connection) => {
  it('has calls for a wallet after four calls of tools, and pays once', async () => {
    await using user = await createAgent(agio, connection)
    const sign = await user.agent.prepare()
    expect(user.agent.calls.length).toBeLessThanOrEqual(4)
    await sign()
    expect((await user.agent.convert()).text).toMatch(/^Paid 100\.000000 "tAUD"/)
    expect(await user.readPaid()).toBe(100_000_000n)
  })

  it('waits while a price is stale, and then converts', async () => {
    const waited: unknown[] = []
    await agio.scenarios.run('stale-price', { symbol: 'tAUD' })
    await using user = await createAgent(agio, {
      ...connection,
      async wait({ code }) {
        waited.push(code)
        await agio.scenarios.reset()
      },
    })
    await user.agent.convert()
    expect(new Set(waited)).toEqual(new Set(['svc/stale-price']))
    expect(await user.readPaid()).toBe(100_000_000n)
  })
})

it.each(['before', 'after'] as const)(
  'an agent whose broadcast is lost %s it arrives tracks the transaction, and pays once',
  async (when) => {
    await using user = await createAgent(agio, {
      era: 'newer',
      transport: 'http',
      fetch: loseBroadcast(when),
      wait: async () => undefined,
    })
    await user.agent.convert()
    const [broadcast, next] = user.agent.calls.slice(user.agent.calls.indexOf('broadcast_signed'))
    expect([broadcast, next]).toEqual(['broadcast_signed', 'track_transaction'])
    expect(await user.readPaid()).toBe(100_000_000n)
  },
)

const quote = 'quote_conversion'

describe.each(connections)('each fault, $era over $transport', (connection) => {
  it.each([
    ['stale-price', { symbol: 'tAUD' }, quote, 'svc/stale-price', 'wait'],
    ['price-jump', { symbol: 'tAUD' }, quote, 'svc/stale-price', 'wait'],
    ['sequencer-down', {}, quote, 'svc/stale-price', 'wait'],
    ['depeg', {}, quote, 'svc/reference-depegged', 'fix_input'],
    ['thin-pool', {}, quote, 'svc/above-max-origin', 'fix_input'],
    ['pool-frozen', {}, quote, 'svc/pool-frozen', 'wait'],
    ['rpc-down', {}, 'track_transaction', 'svc/upstream-unavailable', 'retry'],
    ['rpc-slow', { ms: 4000 }, 'track_transaction', 'svc/upstream-timeout', 'retry'],
    ['rpc-rate-limited', {}, 'track_transaction', 'svc/upstream-unavailable', 'retry'],
    ['rpc-garbage', {}, 'track_transaction', 'svc/upstream-error', 'retry'],
  ] as const)('%s is refused with a code and what to do', async (name, options, tool, code, action) => {
    await using client = await connectAgent(agio.url, connection)
    const { tAUD: tokenIn, tUSD: tokenOut } = agio.chains[84532].tokens
    const userAddress = '0x000000000000000000000000000000000000dEaD'
    const inputs = {
      quote_conversion: { tokenIn, tokenOut, amountIn: '2000', userAddress },
      track_transaction: { transactionHash: `0x${'1'.repeat(64)}` },
    }
    await agio.scenarios.run(name, options)
    await expect.poll(async () => (await client.call(tool, inputs[tool])).data).toMatchObject({ code, action })
    await agio.scenarios.reset()
    await expect.poll(async () => (await client.call(quote, inputs[quote])).isError).toBe(false)
  })
})
