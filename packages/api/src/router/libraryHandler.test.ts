import { expect, it, vi } from 'vitest'
import { createOpenApiFetchHandler } from 'trpc-to-openapi'
import type { Context } from '../procedure/Context.ts'
import { appRouter } from './appRouter.ts'

const rotated = { secret: 'agio_new', oldSecretsExpireAt: new Date('2026-11-29T06:00:00Z') }

it("trpc-to-openapi's own handler serves the router by its metadata: paths, queries and bodies", async () => {
  const listDeliveries = vi.fn<Context['store']['webhooks']['listDeliveries']>(async () => [])
  const rotateOwn = vi.fn<() => Promise<typeof rotated>>(async () => rotated)
  async function send(path: string, init?: RequestInit): Promise<unknown> {
    const response = await createOpenApiFetchHandler({
      endpoint: '/',
      router: appRouter,
      req: new Request(`http://service/${path}`, init),
      createContext: async () =>
        ({
          keyId: 'key_1',
          store: { webhooks: { listDeliveries }, keys: { rotateOwn, hash: (secret: string) => `hash of ${secret}` } },
          exchange: { request: new Request('http://service'), credentials: { apiKey: 'agio_old' } },
          findAddress: () => '127.0.0.1',
        }) as unknown as Context,
    })
    expect(response.status).toBe(200)
    return await response.json()
  }
  const id = 'wh_5Qm3xU8nW2aB'
  expect(await send(`api/v1/webhooks/${id}/deliveries?limit=5`)).toEqual({ deliveries: [] })
  expect(listDeliveries.mock.calls).toEqual([['key_1', id, expect.objectContaining({ limit: 5 })]])
  const body = JSON.stringify({ overlapSeconds: 60 })
  const headers = { 'content-type': 'application/json' }
  expect(await send('api/v1/keys/rotate', { method: 'POST', headers, body })).toEqual({
    id: 'key_1',
    key: 'agio_new',
    oldKeysExpireAt: '2026-11-29T06:00:00.000Z',
  })
  const rotation = expect.objectContaining({ overlapSeconds: 60, secretHash: 'hash of agio_old' }) as unknown
  expect(rotateOwn).toHaveBeenCalledWith('key_1', rotation, expect.anything())
})
