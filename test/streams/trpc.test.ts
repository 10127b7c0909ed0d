import type { AppRouter, WatchData } from '../../packages/sdk/src/trpc.ts'
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'

let stack: AgioStack

beforeAll(async () => {
  stack = await startAgio({ ownDatabase: true })
})

afterAll(() => stack?.[Symbol.asyncDispose]())

type Topics = Parameters<ReturnType<typeof connect>['stream']['watch']['subscribe']>[0]['topics']

function connect(key: string) {
  const fetchWithKey: typeof fetch = async (url, init) => {
    return await fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-api-key': key } })
  }
  const link = httpSubscriptionLink({
    url: `${stack.url}/trpc`,
    EventSource,
    eventSourceOptions: { fetch: fetchWithKey },
  })
  return createTRPCClient<AppRouter>({ links: [link] })
}

function subscribe(topics: Topics, key = apiKey) {
  const events: { readonly id: string; readonly data: WatchData }[] = []
  const errors: { readonly code: unknown; readonly status: unknown }[] = []
  const { unsubscribe } = connect(key).stream.watch.subscribe(
    { topics },
    {
      onData: (event) => events.push(event),
      onError: ({ data }) => errors.push({ code: data?.code, status: data?.httpStatus }),
    },
  )
  return { events, errors, [Symbol.dispose]: unsubscribe }
}

describe('a subscription over tRPC', () => {
  it('a typed client gets the events of all topics, with their ids and their topics', async () => {
    const { tokens } = stack.localnet.chains[84532]
    const [tokenIn, tokenOut] = [tokens['tAUD'], tokens['tUSD']] as const
    using watched = subscribe([
      { topic: 'quote', tokenIn: tokenIn ?? '0x', tokenOut: tokenOut ?? '0x', amountIn: '100' },
      { topic: 'prices' },
    ])
    await vi.waitUntil(() => watched.events.length >= 2, eventually)
    const quote = watched.events.map(({ data }) => data).find(({ topic }) => topic === 'quote')
    const { data } = await stack.callers.tRPC('convert.quote', { tokenIn, tokenOut, amountIn: '100' })
    expect(quote).toMatchObject({ topic: 'quote', index: 0, amountOut: data?.['amountOut'] })
    expect(watched.events.every(({ id }) => id.startsWith('1.'))).toBe(true)
    expect(watched.errors).toEqual([])
  })

  it('error: no key, an unknown field and too many topics end it with the code of the service', async () => {
    using withoutKey = subscribe([{ topic: 'health' }], 'agio_none')
    using withoutTopics = subscribe([])
    using tooMany = subscribe(Array.from({ length: 21 }, () => ({ topic: 'health' }) as const))
    const refused = { code: 'svc/invalid-request', status: 400 }
    await expect.poll(() => withoutTopics.errors).toEqual([refused])
    await expect.poll(() => tooMany.errors).toEqual([refused])
    // An EventSource reports only that the response has the wrong type.
    await expect.poll(() => withoutKey.errors.length).toBe(1)
  })
})
