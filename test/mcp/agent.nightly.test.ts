import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { readBalance } from '../harness/readBalance.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'
import { connectAgent } from './connectAgent.ts'
import { createAgent, loseBroadcast } from './createAgent.ts'

const agio = setUp(() => startAgio({ nodeTimeoutMs: 2000, broadcastWaitMs: 200 }))
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

describe('a fault that refuses no quote', () => {
  const connection = { era: 'newer', transport: 'http' } as const

  it('price-move: the agent learns while it builds that the quote no longer holds', async () => {
    await using client = await connectAgent(agio.url, connection)
    const { tAUD: tokenIn, tUSD: tokenOut } = agio.chains[84532].tokens
    const { address: userAddress } = await agio.wallet({ tAUD: '10' })
    const { data } = await client.call(quote, { tokenIn, tokenOut, amountIn: '10', userAddress })
    await agio.scenarios.run('price-move', { symbol: 'tAUD', percent: -5 })
    const build = async () =>
      (await client.call('build_conversion', { quote: data['quote'], userAddress })).data['issues']
    await expect.poll(build).toContainEqual(expect.objectContaining({ code: 'svc/below-min-target' }))
  })

  it('market-closed: the agent learns when the market opens', async () => {
    await using client = await connectAgent(agio.url, connection)
    await agio.scenarios.run('market-closed', { symbol: 'tEUR' })
    const closed = { isOpen: false, nextOpen: expect.stringMatching(/^20.*Z$/) }
    const readPools = async () => (await client.call('get_market', {})).data['pools']
    await expect.poll(readPools).toContainEqual(expect.objectContaining(closed))
  })

  it('dry-faucet: the agent learns that the faucet is empty, and claims once it has tokens', async () => {
    await using client = await connectAgent(agio.url, { ...connection, headers: { 'x-admin-key': adminKey } })
    const chain = agio.chains[84532]
    const wallet = await createWallet(chain)
    await agio.scenarios.run('dry-faucet')
    const fund = async () => (await client.call('fund_account', { address: wallet.address })).data
    expect(await fund()).toMatchObject({ code: 'svc/faucet-dry', action: 'wait' })
    await agio.scenarios.reset()
    const { claim } = await fund()
    const signedTransaction = await wallet.sign(agio.callers.REST, claim as Unsigned)
    await client.call('broadcast_signed', { signedTransaction })
    await expect.poll(() => readBalance(chain, chain.tokens.tAUD, wallet.address)).toBeGreaterThan(0n)
    expect(await fund()).toMatchObject({ code: 'svc/faucet-cooldown', action: 'wait' })
    const withoutGas = privateKeyToAddress(generatePrivateKey())
    expect((await client.call('fund_account', { address: withoutGas })).data).toHaveProperty('claim')
  })

  it('no-mining: the agent tracks its pending transaction until it is mined, and pays once', async () => {
    let waits = 0
    await using user = await createAgent(agio, {
      ...connection,
      async wait() {
        waits += 1
        await agio.scenarios.run('mine')
      },
    })
    await agio.scenarios.run('no-mining')
    await user.agent.convert()
    expect(waits).toBeGreaterThan(0)
    expect(await user.readPaid()).toBe(100_000_000n)
  })

  it('reorg: the agent learns that its transaction has left its block', async () => {
    await using user = await createAgent(agio, connection)
    await using client = await connectAgent(agio.url, connection)
    const { signedTransaction, transactionHash } = await (await user.agent.prepare())()
    await client.call('broadcast_signed', { signedTransaction })
    const track = async (cursor?: unknown) =>
      (await client.call('track_transaction', { transactionHash, ...(cursor !== undefined && { cursor }) })).data
    await expect.poll(async () => (await track())['status']).toMatch(/included|safe|finalized/)
    const { cursor } = await track()
    await agio.scenarios.run('reorg', { transactionHash: transactionHash as `0x${string}`, outcome: 'gone' })
    await expect.poll(async () => (await track(cursor))['status']).toBe('reorged')
  })
})
