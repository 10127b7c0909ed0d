import type { AppRouter } from '@agio/api'
import { createTRPCClient, httpLink } from '@trpc/client'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { expectDocumented } from '../harness/openApi.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { requestQuote } from '../harness/executeQuote.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'

const stack = setUp(() => startAgio({ ownDatabase: true }))

async function post(name: 'pause' | 'resume', body: object): Promise<unknown> {
  const response = await request(`${stack.url}/api/v1/admin/quotes/${name}`, {
    method: 'POST',
    headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.body.json()) as { readonly data: unknown }
  expectDocumented(`admin.quotes.${name}`, response.statusCode, answer)
  return answer.data
}

it('quotes of two tokens are paused once for both directions and on one chain, listed, and resumed', async () => {
  const { admin } = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${stack.url}/trpc`, headers: { 'x-admin-key': adminKey } })],
  })
  const { tAUD, tEUR } = stack.localnet.chains[84532].tokens
  const pair = { chainId: 84532, tokenA: tAUD, tokenB: tEUR } as const
  expect(await admin.quotes.listPauses.query()).toEqual({ pauses: [] })
  const paused = { pauses: [{ chainId: 84532, pausedAt: expect.any(String) as string }] }
  const first = await post('pause', pair)
  expect(first).toMatchObject(paused)
  const [pause] = (await admin.quotes.listPauses.query()).pauses
  expect(new Set([pause?.tokenA, pause?.tokenB])).toEqual(new Set([tAUD, tEUR]))
  // In the other direction and another letter case.
  const turned = { chainId: 84532, tokenA: tEUR.toLowerCase(), tokenB: tAUD.toLowerCase() } as const
  expect(await post('pause', turned)).toEqual(first)
  await post('pause', { ...pair, chainId: 421614 })
  // The oldest is first.
  expect(await admin.quotes.listPauses.query()).toMatchObject({ pauses: [{ chainId: 84532 }, { chainId: 421614 }] })
  expect(await admin.quotes.resume.mutate({ ...pair, chainId: 421614 })).toEqual(first)
  expect(await admin.quotes.resume.mutate(turned)).toEqual({ pauses: [] })
  expect(await post('resume', pair)).toEqual({ pauses: [] })
})

it('quotes of a paused pair are refused in both directions, while previews and issued quotes go on', async () => {
  const { tAUD, tEUR, tUSD } = stack.localnet.chains[84532].tokens
  const call = stack.callers.REST
  const pair = { chainId: 84532, tokenIn: tAUD, tokenOut: tEUR, amountIn: '1' }
  const { quote } = await requestQuote(call, pair)
  await post('pause', { chainId: 84532, tokenA: tEUR, tokenB: tAUD })
  const refused = { status: 422, failure: { code: 'svc/quoting-paused', retryable: true, action: 'wait' } }
  expect(await call('convert.quote', pair)).toMatchObject(refused)
  expect(await call('convert.quote', { ...pair, tokenIn: tEUR, tokenOut: tAUD })).toMatchObject(refused)
  expect(await call('convert.quote', { ...pair, tokenOut: tUSD })).toMatchObject({ status: 200 })
  expect(await call('convert.preview', pair)).toMatchObject({ status: 200 })
  const build = { quote, userAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
  expect(await call('transaction.buildConvert', build)).toMatchObject({ status: 200 })
  expect(await call('convert.quote', { ...pair, chainId: 421614 })).toMatchObject({ status: 200 })
  await post('resume', { chainId: 84532, tokenA: tAUD, tokenB: tEUR })
  expect(await call('convert.quote', pair)).toMatchObject({ status: 200 })
})

it('quotes of two pools are refused while the pair of either is paused, and quotes over only the other pool go on', async () => {
  const { tAUD, tEUR, tUSD } = stack.localnet.chains[84532].tokens
  const call = stack.callers.REST
  const [over, back] = [
    { chainId: 84532, tokenIn: tAUD, tokenOut: tEUR, amountIn: '1' },
    { chainId: 84532, tokenIn: tEUR, tokenOut: tAUD, amountOut: '1' },
  ]
  for (const tokenA of [tAUD, tEUR]) {
    await post('pause', { chainId: 84532, tokenA, tokenB: tUSD })
    for (const input of [over, back]) {
      expect(await call('convert.quote', input)).toMatchObject({ status: 422, failure: { code: 'svc/quoting-paused' } })
    }
    const otherPool = { ...over, tokenIn: tokenA === tAUD ? tEUR : tAUD, tokenOut: tUSD }
    expect(await call('convert.quote', otherPool)).toMatchObject({ status: 200 })
    await post('resume', { chainId: 84532, tokenA, tokenB: tUSD })
  }
  expect(await call('convert.quote', over)).toMatchObject({ status: 200 })
})
