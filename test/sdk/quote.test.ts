import type { LocalChain } from '@agio/localnet'
import { createTestClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest'
import {
  createAgio,
  type Agio,
  type AgioOptions,
  type AgioQuoteData,
  type QuoteRequest,
} from '../../packages/sdk/src/index.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio } from '../harness/startAgio.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { setUp } from '../harness/setUp.ts'
import { changeData, createTamperingFetch, type Json } from './hostile/createTamperingFetch.ts'

const stack = setUp(startAgio)
let chain: LocalChain
let agio: Agio

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  agio = connect()
})

const connect = (options: Partial<AgioOptions> = {}) => createAgio({ url: stack.url, apiKey, ...options })
const pair = () => ({ chainId: 84532, tokenIn: chain.tokens['tAUD'], tokenOut: chain.tokens['tUSD'] }) as const
const movePrice = (percent: number) => stack.scenarios.run('price-move', { symbol: 'tAUD', percent })

describe('a quote of the SDK', () => {
  it('a quote has its chain and its request, and is equal to the quote of the service', async () => {
    const request = { ...pair(), amountIn: '1000', userAddress: privateKeyToAddress(generatePrivateKey()) }
    const answers: unknown[] = []
    const keepAnswer: typeof fetch = async (target, init) => {
      const response = await fetch(target, init)
      answers.push(await response.clone().json())
      return response
    }
    const { chainId, request: kept, ...quote } = await connect({ fetch: keepAnswer }).quote(request)
    expect([chainId, kept]).toEqual([84532, request])
    expect(answers).toEqual([{ result: { data: quote } }])
  })

  it.each([
    ['1,000', 'Enter an amount such as 1000.5.'],
    ['1e9', 'Enter an amount such as 1000.5.'],
    ['', 'Enter an amount.'],
    ['0.0', 'Enter an amount above zero.'],
    ['1.0000001', 'This token has 6 decimals.'],
    ['9'.repeat(79), 'Enter a smaller amount.'],
  ])('the amount %j is refused with a text that says what to correct', async (amountIn, userMessage) => {
    await expect(agio.quote({ ...pair(), amountIn })).rejects.toMatchObject({ userMessage })
  })

  it('a quote of either amount may be in lower case, with zeros around it', async () => {
    const tokenIn = pair().tokenIn.toLowerCase() as `0x${string}`
    const poolAddress = chain.pools['tAUD/tUSD'].toLowerCase() as `0x${string}`
    const input = await agio.quote({ ...pair(), tokenIn, poolAddress, amountIn: '0001000.0' })
    expect(input.minAmountOut).toBe('650.548962')
    const output = await agio.quote({ ...pair(), tokenIn, poolAddress, amountOut: '650.87440', maxAmountIn: '01001' })
    expect(output.maxAmountIn).toBe('1001.000000')
  })

  it('the mode of a quote narrows its limit to a string', async () => {
    const limits: string[] = []
    for (const amount of [{ amountIn: '10' }, { amountOut: '10' }]) {
      const quote = await agio.quote({ ...pair(), ...amount })
      if (quote.mode === 'exact-in') expectTypeOf(quote.minAmountOut).toEqualTypeOf<string>()
      else expectTypeOf(quote.maxAmountIn).toEqualTypeOf<string>()
      limits.push(quote.mode === 'exact-in' ? quote.minAmountOut : quote.maxAmountIn)
    }
    expect(limits).toEqual(['6.505489', '15.371631'])
  })

  it('a quote survives JSON and structuredClone, and its refresh is not part of its data', async () => {
    const quote = await agio.quote({ ...pair(), amountIn: '10' })
    const data: AgioQuoteData = JSON.parse(JSON.stringify(quote))
    expect(structuredClone(quote)).toEqual(data)
    expect(Object.keys(quote)).not.toContain('refresh')
    expect((await agio.refresh(data)).minAmountOut).toBe(quote.minAmountOut)
  })

  it('a change of the request after the call changes nothing in the quote', async () => {
    const request: { -readonly [Field in keyof QuoteRequest]: QuoteRequest[Field] } = { ...pair(), amountIn: '10' }
    const quote = await agio.quote(request as QuoteRequest)
    request.amountIn = '20'
    expect(quote.request.amountIn).toBe('10')
  })

  it('error: a quote that the service refuses has the code and the fields of the refusal', async () => {
    const refused = agio.quote({ ...pair(), amountOut: '800000' })
    await expect(refused).rejects.toMatchObject({
      code: 'svc/above-max-origin',
      status: 422,
      details: { maxAmountIn: expect.any(String) },
    })
  })

  it.each([null, undefined, 5, ['0x'], {}])(
    'error: svc/invalid-request for a token that is %j, before a request is sent',
    async (value) => {
      const quoted = await agio.quote({ ...pair(), amountIn: '1' })
      const answer = vi.fn<typeof fetch>(async () => Response.json({ result: { data: quoted } }))
      for (const field of ['tokenIn', 'tokenOut'] as const) {
        const request = { ...pair(), amountIn: '1', [field]: value } as unknown as QuoteRequest
        const error: unknown = await connect({ fetch: answer })
          .quote(request)
          .catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ name: 'AgioError', code: 'svc/invalid-request', details: { field } })
        expect(String(error)).toMatch(
          new RegExp(`Cannot quote: ${field} is .*\\. Pass the address of the token as a string$`),
        )
      }
      expect(answer).not.toHaveBeenCalled()
    },
  )

  it('a quote whose signal is aborted is requested from no service', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(agio.quote({ ...pair(), amountIn: '1' }, { signal })).rejects.toThrow('stopped')
    const quote = await agio.quote({ ...pair(), amountIn: '1' })
    await expect(quote.refresh({ signal })).rejects.toThrow('stopped')
    await expect(agio.refresh(quote, { signal })).rejects.toThrow('stopped')
  })
})

describe('a renewed quote of the SDK', () => {
  afterEach(async () => {
    await stack.recover('convert.preview', validInputs(chain)['convert.preview'])
  })

  it.each([
    [{ amountIn: '1000' }, 'minAmountOut', '650.548962', 'amountOut', '651.525274'],
    [{ amountIn: '1000', slippageBps: 100 }, 'minAmountOut', '644.365656', 'amountOut', '651.525274'],
    [{ amountOut: '650.8744' }, 'maxAmountIn', '1000.500000', 'amountIn', '999.001000'],
  ] as const)(
    'a quote of %j is renewed with the same %s of %s at a better price',
    async (amount, field, limit, of, better) => {
      const quote = await agio.quote({ ...pair(), ...amount })
      expect(quote[field]).toBe(limit)
      await movePrice(0.1)
      const renewed = await quote.refresh()
      expect(renewed).toMatchObject({ [field]: limit, [of]: better })
      expect(renewed.quote).not.toBe(quote.quote)
      expect(renewed.request).not.toHaveProperty('slippageBps')
      // Any number of times.
      expect(await renewed.refresh()).toMatchObject({ [field]: limit, [of]: better })
    },
  )

  it.each([
    ['svc/below-min-target', { amountIn: '1000' }, { minAmountOut: '650.548962', amountOut: '650.223525' }],
    ['svc/above-max-input', { amountOut: '650.8744' }, { maxAmountIn: '1000.500000', amountIn: '1001.001002' }],
  ] as const)(
    'error: %s when a quote of %j is renewed beyond the limit that was accepted',
    async (code, amount, details) => {
      const quote = await agio.quote({ ...pair(), ...amount })
      await movePrice(-0.1)
      await expect(quote.refresh()).rejects.toMatchObject({ code, details, action: 'requote', retryable: true })
      await expect(agio.refresh(quote)).rejects.toMatchObject({ code, details })
    },
  )

  it('a quote that has expired is renewed at its limit', async () => {
    const quote = await agio.quote({ ...pair(), amountIn: '1000', validForSeconds: 10 })
    const node = createTestClient({ mode: 'hardhat', transport: http(chain.rpcUrl) })
    await node.increaseTime({ seconds: 30 })
    await node.mine({ blocks: 1 })
    const userAddress = privateKeyToAddress(generatePrivateKey())
    const build = async () => await agio.api.transaction.buildConvert.query({ quote: quote.quote, userAddress })
    await expect.poll(() => build().catch((error: unknown) => error)).toMatchObject({ code: 'svc/quote-expired' })
    const { request, minAmountOut } = await quote.refresh()
    expect([request.validForSeconds, minAmountOut]).toEqual([10, quote.minAmountOut])
  })
})

describe('a quote of something else', () => {
  const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

  /** A client of a service whose quotes are changed in transit. */
  const connectAltered = (change: (quote: Json) => object) =>
    connect({
      fetch: createTamperingFetch({ 'convert.quote': changeData((quote: Json) => ({ ...quote, ...change(quote) })) }),
    })

  it.each<[field: string, request: { amountIn: string } | { amountOut: string }, change: (quote: Json) => object]>([
    ['mode', { amountIn: '10' }, () => ({ mode: 'exact-out' })],
    ['tokenIn', { amountIn: '10' }, ({ tokenIn }) => ({ tokenIn: { ...tokenIn, address: stranger } })],
    ['tokenOut', { amountIn: '10' }, ({ tokenOut }) => ({ tokenOut: { ...tokenOut, address: stranger } })],
    ['route', { amountIn: '10' }, () => ({ route: [] })],
    [
      'route',
      { amountIn: '10' },
      ({ route, tokenIn }) => ({ route: route.map((hop: Json) => ({ ...hop, tokenOut: tokenIn })) }),
    ],
    ['amountIn', { amountIn: '10' }, () => ({ amountIn: '10.000001' })],
    ['amountOut', { amountOut: '10' }, () => ({ amountOut: '9.999999' })],
    ['amountOut', { amountOut: '10' }, () => ({ amountOut: '-10' })],
    ['minAmountOut', { amountIn: '10' }, () => ({ minAmountOut: undefined })],
    ['minAmountOut', { amountIn: '10' }, () => ({ minAmountOut: '1000' })],
    ['maxAmountIn', { amountOut: '10' }, () => ({ maxAmountIn: undefined })],
    ['maxAmountIn', { amountOut: '10' }, () => ({ maxAmountIn: '1' })],
  ])('error: convert/mismatch for a quote with another %s than a request of %j has', async (field, amount, change) => {
    const quoted = connectAltered(change).quote({ ...pair(), ...amount })
    await expect(quoted).rejects.toMatchObject({ name: 'AgioError', code: 'convert/mismatch', details: { field } })
  })

  it('error: convert/mismatch for a quote over another pool, or with a looser limit, than requested', async () => {
    const hops = connectAltered(({ route }) => ({ route: route.map((hop: Json) => ({ ...hop, address: stranger })) }))
    const poolAddress = chain.pools['tAUD/tUSD']
    const overPool = hops.quote({ ...pair(), poolAddress, amountIn: '10' })
    await expect(overPool).rejects.toMatchObject({
      details: { field: 'route', expected: poolAddress, actual: stranger },
    })
    const looser = connectAltered(({ mode }) => (mode === 'exact-in' ? { minAmountOut: '6' } : { maxAmountIn: '17' }))
    const input = looser.quote({ ...pair(), amountIn: '10', minAmountOut: '6.4' })
    await expect(input).rejects.toMatchObject({ details: { field: 'minAmountOut', expected: '6.4', actual: '6' } })
    const output = looser.quote({ ...pair(), amountOut: '10', maxAmountIn: '16' })
    await expect(output).rejects.toMatchObject({ details: { field: 'maxAmountIn', expected: '16', actual: '17' } })
  })
})
