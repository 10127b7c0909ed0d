import { afterEach, describe, expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createTrader } from '../harness/createTrader.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { connectAgent, postMessage } from './connectAgent.ts'

const agio = setUp(() => startAgio({ ownDatabase: true, publicUrl: 'http://127.0.0.1' }))

type Era = 'older' | 'newer'

const connect = (era: Era = 'newer', headers: Readonly<Record<string, string>> = {}) =>
  connectAgent(agio.url, { era, headers })

const pair = () => ({ tokenIn: agio.chains[84532].tokens.tAUD, tokenOut: agio.chains[84532].tokens.tUSD })

describe.each(['older', 'newer'] as const)('an agent with the %s protocol', (era) => {
  it('converts with three calls before its wallet signs, sends once although the answer is lost, and reads the receipt', async () => {
    const { call } = await connect(era)
    const chain = agio.chains[84532]
    const wallet = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
    const userAddress = wallet.address
    const { data: listed } = await call('list_networks')
    const { tokens } = (listed['chains'] as { tokens: { symbol: string; address: string }[] }[])[0] ?? { tokens: [] }
    const [tokenIn, tokenOut] = ['tAUD', 'tUSD'].map((name) => tokens.find(({ symbol }) => symbol === name)?.address)
    const quoted = await call('quote_conversion', { tokenIn, tokenOut, amountIn: '100', userAddress })
    expect(quoted.text).toMatch(/^Pay at most 100\.000000 "tAUD", receive at least 65\.0\d+ "tUSD"/)
    const { data: built } = await call('build_conversion', { quote: quoted.data['quote'], userAddress })
    expect(built['terms']).toMatch(
      new RegExp(
        `^Pay at most 100\\.000000 "tAUD" \\(${tokenIn}\\), receive at least 65\\.\\d+ "tUSD" \\(${tokenOut}\\), to ${userAddress}, spender ${chain.deployment.router}, before 20`,
      ),
    )
    const [conversion] = built['calls'] as Unsigned[]
    const unsigned = { ...conversion, value: '0', chainId: 84532, gasLimit: String(built['gasLimit']) } as Unsigned
    const signedTransaction = await wallet.sign(agio.callers.REST, unsigned)
    const sent = await call('broadcast_signed', { signedTransaction, quote: quoted.data['quote'] })
    const again = await call('broadcast_signed', { signedTransaction, quote: quoted.data['quote'] })
    expect(again.data).toEqual(sent.data)
    const { transactionHash } = sent.data
    const tracked = await call('track_transaction', { transactionHash, signedTransaction })
    expect(tracked.data).toMatchObject({ status: expect.stringMatching(/included|safe|finalized/), transactionHash })
    const explained = await call('explain_receipt', { transactionHash })
    expect(explained.text).toMatch(/^Paid 100\.000000 "tAUD", received 65\.\d+ "tUSD"\.$/)
  })

  it('every refusal of a tool has a code, one sentence and what to do next', async () => {
    const { call } = await connect(era)
    const refusals = await Promise.all([
      call('preview_conversion', { tokenIn: 'x', more: 1 }),
      call('preview_conversion', { ...pair(), amountIn: '900000000' }),
      call('preview_conversion', { ...pair(), tokenOut: pair().tokenIn, amountIn: '1' }),
      call('broadcast_signed', { signedTransaction: '0x12' }),
      call('none'),
    ])
    const told = refusals.map(({ isError, data }) => [isError, data['code'], data['action'], data['correctedInput']])
    expect(told).toEqual([
      [true, 'svc/invalid-address', 'fix_input', undefined],
      [true, 'svc/above-max-origin', 'fix_input', { amountIn: expect.stringMatching(/^\d+\.\d{6}$/) }],
      [true, 'svc/invalid-request', 'fix_input', undefined],
      [true, 'svc/invalid-transaction', 'fix_input', undefined],
      [true, 'svc/invalid-request', 'fix_input', undefined],
    ])
    for (const { data } of refusals) expect(data['message']).not.toContain('svc/')
  })
})

it('a call for the wrong chain is told the right chain', async () => {
  const { call } = await connect()
  const [chain, other] = [agio.chains[84532], agio.chains[421614]]
  const wallet = await createWallet(other)
  const unsigned = { to: other.deployment.router, data: '0x', value: '0', chainId: 421614, gasLimit: '21000' } as const
  const signedTransaction = await wallet.sign(agio.callers.REST, unsigned)
  expect((await call('broadcast_signed', { signedTransaction })).data).toMatchObject({
    code: 'svc/wrong-chain',
    correctedInput: { chainId: 421614 },
  })
  const { data } = await call('quote_conversion', { ...pair(), amountIn: '10', userAddress: wallet.address })
  const receipt = { chainId: 421614, transactionHash: `0x${'1'.repeat(64)}`, quote: data['quote'] }
  expect((await call('explain_receipt', receipt)).data).toMatchObject({ correctedInput: { chainId: chain.chainId } })
})

describe('the tools', () => {
  it('the list stays what it is, in order, and below 18 kB', async () => {
    const { tools } = await connect()
    expect(JSON.stringify(tools).length).toBeLessThan(18_000)
    await expect(JSON.stringify(tools, null, 2)).toMatchFileSnapshot('__snapshots__/tools.txt')
    expect(JSON.stringify(tools)).not.toContain('$ref')
  })

  it('a key sees and calls the tools of its scopes', async () => {
    const { key } = await createAdminClient(agio.url).issueWith({ scopes: ['read'] })
    const { tools, call } = await connect('newer', { 'x-api-key': key })
    const names = tools.map(({ name }) => name)
    expect(names).toContain('quote_conversion')
    expect(names).not.toContain('build_conversion')
    expect(names).not.toContain('broadcast_signed')
    await expect(call('broadcast_signed', { signedTransaction: '0x12' })).rejects.toThrow(/svc\/forbidden-scope/)
  })

  it('a number is read as an amount if no digit can be lost, and the answer says how', async () => {
    const send = async (amountIn: string) => {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"preview_conversion","arguments":${JSON.stringify(pair()).slice(0, -1)},"amountIn":${amountIn}}}}`
      return await (await postMessage(agio.url, body)).text()
    }
    expect(await send('100.5')).toContain('amountIn was read as \\"100.5\\".')
    for (const [lossy, plain] of [
      ['1e2', '100'],
      ['1.25E-1', '0.125'],
      ['100.12345678901234567', '100.12345678901234567'],
      ['9007199254740993', '9007199254740993'],
    ])
      expect(await send(lossy ?? '')).toMatch(
        new RegExp(`svc/invalid-request.*Send text: .{1,6}"${plain?.replace('.', '\\.')}`),
      )
    expect(await send('1e999')).toMatch(/svc\/invalid-request.*Send text, such as/)
    expect(await send('0.1234567')).toContain('svc/invalid-request')
    expect(await send('-1')).toMatch(/svc\/invalid-request.*not a plain decimal number/)
  })

  it('a number for an amount is refused over REST with the text to send', async () => {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
    const body = JSON.stringify({ chainId: 84532, ...pair(), amountIn: 100 })
    const response = await fetch(`${agio.url}/api/v1/convert/quote`, { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'svc/invalid-request: Cannot read amountIn: it is a number. Send "100"' }),
    ])
  })

  it('an expired quote is refused with its terms and the current terms', async () => {
    const { call } = await connect()
    const { address: userAddress } = await agio.wallet({ tAUD: '10' })
    const { data } = await call('quote_conversion', { ...pair(), amountIn: '10', userAddress })
    await agio.time.travel('+2 minutes')
    const refused = await call('build_conversion', { quote: data['quote'], userAddress })
    expect(refused.data).toMatchObject({
      code: 'svc/quote-expired',
      oldTerms: { amountIn: '10.000000', amountOut: data['amountOut'] },
      newTerms: { amountIn: '10.000000', amountOut: expect.stringMatching(/^6\.5/) },
    })
  })

  it('a call counts once under its own name, and a list counts nothing', async () => {
    const { key } = await createAdminClient(agio.url).issue()
    const { call } = await connect('newer', { 'x-api-key': key })
    await call('list_networks')
    await call('preview_conversion', { tokenIn: 'x' })
    const read = async () => {
      const logged = await fetch(`${agio.url}/api/v1/usage/requests`, { headers: { 'x-api-key': key } })
      const { data } = (await logged.json()) as { data: { requests: { operation: string; code?: string }[] } }
      return data.requests
        .filter(({ operation }) => operation.startsWith('mcp'))
        .map(({ operation, code }) => [operation, code])
    }
    await expect.poll(read).toContainEqual(['mcp.previewConversion', 'svc/invalid-address'])
    const usage = await fetch(`${agio.url}/api/v1/usage`, { headers: { 'x-api-key': key } })
    expect(JSON.stringify(await usage.json())).toMatch(/"mcp\.listNetworks"/)
  })
})

it.each(['older', 'newer'] as const)(
  'resources and skills can be listed and read with the %s protocol',
  async (era) => {
    const { client } = await connect(era)
    expect(JSON.stringify(client.getServerCapabilities())).not.toContain('"listChanged":true')
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents
      return content && 'text' in content ? content.text : ''
    }
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      'agio://guide/convert',
      'agio://deployments/84532',
      'agio://deployments/421614',
      'skill://integrate-conversion/SKILL.md',
      'skill://receive-webhooks/SKILL.md',
      'skill://test-with-faults/SKILL.md',
    ])
    for (const { uri } of resources) expect(await read(uri)).toMatch(/^(# |\{.*"router":)/m)
    const { codes } = JSON.parse(await read('agio://errors/all')) as { codes: string[] }
    for (const code of codes)
      expect(JSON.parse(await read(`agio://errors/${code.slice('svc/'.length)}`))).toMatchObject({ code })
    await expect(read('agio://errors/none')).rejects.toThrow('agio://errors/all')
    await expect(read('skill://../../package.json')).rejects.toThrow('skill://')
  },
)

describe('the local stack', () => {
  afterEach(() => agio.scenarios.reset())

  it('an agent with the admin key funds an account, meets a stale price, and converts once it is gone', async () => {
    const { tools, call } = await connect('newer', { 'x-admin-key': adminKey })
    const repeatable = tools.filter(({ annotations }) => annotations?.idempotentHint).map(({ name }) => name)
    expect(repeatable).toContain('broadcast_signed')
    expect(repeatable).not.toContain('fund_account')
    expect(repeatable).not.toContain('run_scenario')
    const { address } = await agio.wallet({})
    await call('fund_account', { address, amounts: { tAUD: '5' } })
    await call('run_scenario', { scenario: 'stale-price', options: { symbol: 'tAUD' } })
    const input = { ...pair(), amountIn: '5', userAddress: address }
    await expect.poll(async () => (await call('quote_conversion', input)).data['code']).toBe('svc/stale-price')
    await call('reset_scenarios')
    await expect.poll(async () => (await call('quote_conversion', input)).isError).toBe(false)
  })

  it('without the admin key it has no tools that change the stack', async () => {
    const { tools, call } = await connect()
    expect(tools.map(({ name }) => name)).not.toContain('run_scenario')
    expect((await call('run_scenario', { scenario: 'stale-price' })).data['code']).toBe('svc/invalid-request')
  })

  it('get_market says why a pool refuses conversions, and for which pairs an operator has paused quotes', async () => {
    const { call } = await connect()
    const { data: open } = await call('get_market', {})
    expect([open['pausedPairs'], JSON.stringify(open)]).toEqual([[], expect.not.stringContaining('svc/')])
    await agio.scenarios.run('pool-frozen', { pool: 'tAUD/tUSD' })
    await agio.scenarios.run('stale-price', { symbol: 'tEUR' })
    const { tAUD: tokenA, tEUR: tokenB } = agio.chains[84532].tokens
    await createAdminClient(agio.url).pauseQuotes({ chainId: 84532, tokenA, tokenB })
    const read = async () => {
      const { text, data } = await call('get_market', {})
      const pools = data['pools'] as readonly { readonly name: string; readonly refusal?: string }[]
      return [pools.map(({ name, refusal }) => [name, refusal]), data['pausedPairs'], text]
    }
    const refused = [
      ['tAUD/tUSD', 'svc/pool-frozen'],
      ['tEUR/tUSD', 'svc/stale-price'],
    ]
    const paused = [{ name: 'tAUD/tEUR', tokens: expect.arrayContaining([tokenA, tokenB]) }]
    const sentences = 'Pools that refuse conversions: "tAUD/tUSD", "tEUR/tUSD". Quotes are paused for: "tAUD/tEUR".'
    await expect.poll(read).toEqual([refused, paused, expect.stringContaining(sentences)])
  })
})
