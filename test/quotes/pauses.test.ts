import type { AppRouter } from '@agio/api'
import type { Localnet } from '@agio/localnet'
import { startServer } from '@agio/server'
import { createTRPCClient, httpLink } from '@trpc/client'
import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectDocumented } from '../contract/openApi.ts'
import { adminKey, settingsFor } from '../stack/settingsFor.ts'
import { startTestLocalnet } from '../stack/startTestLocalnet.ts'

let localnet: Localnet
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  server = await startServer(settingsFor(localnet))
})
afterAll(async () => {
  await server.stop()
  await localnet.stop()
})

async function post(name: 'pause' | 'resume', body: object): Promise<unknown> {
  const response = await request(`${server.url}/api/v1/admin/quotes/${name}`, {
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
    links: [httpLink({ url: `${server.url}/trpc`, headers: { 'x-admin-key': adminKey } })],
  })
  const { tAUD, tEUR } = localnet.chains[84532].tokens
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
  expect(await admin.quotes.resume.mutate({ ...pair, chainId: 421614 })).toEqual(first)
  expect(await admin.quotes.resume.mutate(turned)).toEqual({ pauses: [] })
  expect(await post('resume', pair)).toEqual({ pauses: [] })
})
