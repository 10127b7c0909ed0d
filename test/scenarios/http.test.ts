import { Network } from '@agio/core'
import { describe, expect, inject, it } from 'vitest'
import { perChain } from '../harness/networks.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { setUp } from '../harness/setUp.ts'

const names =
  'stale-price price-move price-jump sequencer-down depeg thin-pool pool-frozen market-closed no-mining mine reorg dry-faucet'
    .concat(' rpc-down rpc-slow rpc-rate-limited rpc-garbage reset')
    .split(' ')

const stack = setUp(startAgio)

it('GET /local/scenarios lists all scenarios, with options and codes', async () => {
  const { status, answer } = await call('', { method: 'GET', body: null })
  expect(status).toBe(200)
  const { scenarios } = (answer as { data: { scenarios: { name: string }[] } }).data
  expect(scenarios.map(({ name }) => name)).toEqual(names)
  expect(scenarios.find(({ name }) => name === 'reorg')).toMatchObject({
    options: { depth: { min: 1, isWhole: true } },
  })
})

it('GET /local/scenarios lists the oracles and the pools of each chain, and the faults that are active on it', async () => {
  const read = async () => (await readChains()).map(({ active }) => active)
  const names = { oracles: ['tAUD', 'tEUR'], pools: ['tAUD/tUSD', 'tEUR/tUSD'] }
  expect(await readChains()).toEqual(Network.chainIds.map((chainId) => ({ chainId, ...names, active: [] })))
  const move = { scenario: 'price-move', options: { symbol: 'tAUD', percent: -5 } }
  const stale = { scenario: 'stale-price', options: {} }
  await call('/price-move', { body: move.options })
  await call('/price-move', { body: move.options })
  await call('/stale-price', { body: { chainId: 421614 } })
  expect(await read()).toEqual(perChain({ 84532: [move, move], 421614: [stale] }, []))
  await call('/reset', { body: { chainId: 84532 } })
  expect(await read()).toEqual(perChain({ 421614: [stale] }, []))
  await call('/reset', { body: null })
  expect(await read()).toEqual(perChain({}, []))
})

it('an active fault is listed until a scenario replaces it, and a scenario that ends at once or is refused is not', async () => {
  const run = async (path: string, body: object = {}) => {
    await call(path, { body })
    return (await readChains())[0]?.active
  }
  const slow = { scenario: 'rpc-slow', options: { ms: 10 } }
  expect(await run('/reorg', { depth: 1 })).toEqual([])
  expect(await run('/price-move', { symbol: 'tAUD' })).toEqual([])
  expect(await run('/no-mining')).toEqual([{ scenario: 'no-mining', options: {} }])
  expect(await run('/stale-price')).toEqual([{ scenario: 'no-mining', options: {} }])
  expect(await run('/mine')).toEqual([])
  expect(await run('/rpc-down')).toEqual([{ scenario: 'rpc-down', options: {} }])
  expect(await run('/rpc-slow', slow.options)).toEqual([slow])
  expect(await run('/reset')).toEqual([])
})

it('POST /local/scenarios/{name} answers in the envelope, with the request id, once the service serves the block', async () => {
  const { status, answer, headers } = await call('/price-move', { body: { symbol: 'tAUD', percent: -5 } })
  expect({ status, answer }).toEqual({
    status: 200,
    answer: {
      success: true,
      data: {
        scenario: 'price-move',
        chainId: 84532,
        blockNumber: expect.any(Number),
        codes: ['svc/below-min-target'],
      },
    },
  })
  expect(headers.get('x-request-id')).toBe('of-the-test')
  expect(headers.get('content-type')).toBe('application/json')
  const reset = await call('/reset', { body: null })
  expect(reset).toMatchObject({
    status: 200,
    answer: { data: { chains: Network.chainIds.map((chainId) => ({ chainId })) } },
  })
})

describe('error: a scenario over HTTP', () => {
  it.each([
    ['without the admin key', { 'x-admin-key': '' }],
    ['with another one', { 'x-admin-key': `${adminKey}-` }],
    ['with an API key', { 'x-admin-key': '', 'x-api-key': apiKey }],
  ])('error: a scenario is 401 svc/unauthorized %s', async (_, headers) => {
    for (const path of ['/stale-price', '/nope', '']) {
      expect(await call(path, { headers })).toMatchObject({ status: 401, answer: { code: 'svc/unauthorized' } })
    }
    expect(await stack.request('oracle.prices', { chainId: 84532 })).toEqual(['200 ok', '200 ok'])
  })

  it.each(['/nope', '/__proto__', '/Stale-Price', '/reset%20'])(
    'error: the unknown scenario %s is 404 svc/not-found, and the error lists all names',
    async (path) => {
      const { status, answer } = await call(path)
      expect({ status, answer }).toMatchObject({ status: 404, answer: { success: false, code: 'svc/not-found' } })
      for (const name of names) expect((answer as { error: string }).error).toContain(name)
    },
  )

  it.each([
    ['PUT', '/reset', 'POST, OPTIONS'],
    ['GET', '/stale-price', 'POST, OPTIONS'],
    ['POST', '', 'GET, HEAD, OPTIONS'],
  ])('error: %s on /local/scenarios%s is 405 svc/method-not-allowed', async (method, path, allow) => {
    const { status, answer, headers } = await call(path, { method, body: method === 'GET' ? null : {} })
    expect({ status, answer }).toMatchObject({ status: 405, answer: { code: 'svc/method-not-allowed' } })
    expect(headers.get('allow')).toBe(allow)
  })

  it.each([
    ['/reorg', { outcome: 'lost' }, 'outcome'],
    ['/reorg', { outcome: 'gone' }, 'outcome'],
    ['/reorg', { depth: 1.5 }, 'depth'],
    ['/reorg', { transactionHash: '0x12' }, 'transactionHash'],
    ['/reorg', { depth: '3' }, 'depth'],
    ['/rpc-slow', { ms: -1 }, 'ms'],
    ['/price-move', { symbol: 'tUSD', percent: 1 }, 'symbol'],
    ['/price-move', { symbol: 'tAUD', percent: -100 }, 'percent'],
    ['/thin-pool', { pool: 7 }, 'pool'],
    ['/reset', { depth: 1 }, 'depth'],
    ['/rpc-down?ms=1', {}, 'ms'],
    ['/price-move', { percent: 5 }, 'symbol'],
    ['/stale-price', { symbol: '__proto__' }, 'symbol'],
    ['/mine', JSON.parse('{"__proto__":1}'), '__proto__'],
    ['/dry-faucet', { ['x'.repeat(5000)]: 1 }, `${'x'.repeat(100)}…`],
    ['/rpc-down', [], 'body'],
  ])('error: the scenario %s with %j is 400 svc/invalid-request with the field %s', async (path, body, field) => {
    expect(await call(path, { body })).toMatchObject({ status: 400, answer: { code: 'svc/invalid-request', field } })
  })

  it.each([1, 84_532.5, '84532', '__proto__', null, true, [84_532], {}])(
    'error: a scenario on the chain %j is 400 svc/unsupported-chain',
    async (chainId) => {
      for (const path of ['/rpc-down', '/reset']) {
        const answer = { code: 'svc/unsupported-chain', field: 'chainId' }
        expect(await call(path, { body: { chainId } })).toMatchObject({ status: 400, answer })
      }
    },
  )

  it('error: a scenario whose body is not declared as JSON is 415 svc/unsupported-media-type', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect(await call('/mine', { headers })).toMatchObject({
      status: 415,
      answer: { code: 'svc/unsupported-media-type' },
    })
  })

  it('error: a service without local chains answers 404 svc/not-found for scenarios, as for any unknown path', async () => {
    for (const { url } of inject('targets')) {
      for (const path of ['', '/reset', '/nope']) {
        const { status, answer } = await call(path, { url })
        const error = `svc/not-found: Cannot find /local/scenarios${path}: no operation exists at this path`
        expect({ status, answer }).toMatchObject({ status: 404, answer: { code: 'svc/not-found', error } })
      }
    }
  })
})

type Request = {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly url?: string
}

type Chain = { readonly chainId: number; readonly active: readonly unknown[] }

async function readChains(): Promise<readonly Chain[]> {
  const { answer } = await call('', { method: 'GET', body: null })
  return (answer as { data: { chains: readonly Chain[] } }).data.chains
}

async function call(path: string, { method = 'POST', body = {}, headers = {}, url = stack.url }: Request = {}) {
  const own = { 'x-admin-key': adminKey, 'x-request-id': 'of-the-test' }
  const type = body === null ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`${url}/local/scenarios${path}`, {
    method,
    headers: { ...own, ...type, ...headers },
    body: body === null ? null : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, answer: await response.json() }
}
