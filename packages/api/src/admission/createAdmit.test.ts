import type { ErrorCode, ServiceError } from '@agio/core'
import type { Admission, ApiKey, Limiter, Window } from '@agio/store'
import { expect, it } from 'vitest'
import { createExchange } from '../http/HttpExchange.ts'
import { AdmissionError } from './Caller.ts'
import { createAdmit } from './createAdmit.ts'
import { createAuthenticate } from './createAuthenticate.ts'
import { createKeyLimiter } from './createKeyLimiter.ts'

const key = { id: 'key_1', tier: 'standard' } as ApiKey
const operation = 'convert.preview'
const limits = {
  policy: '"standard";q=100;w=900, "burst";q=10;w=1, "nodes";q=60000;w=900',
  state: '"standard";r=99;t=900, "burst";r=9;t=1, "nodes";r=60000;t=900',
}

function createAdmission(findCached: () => unknown, used = 1) {
  const counted: string[] = []
  const decide = (windows: readonly Window[]): Admission => ({
    isAdmitted: windows.every(({ limit }) => used <= limit),
    states: windows.map(({ lengthMs }) => ({ used, endsInMs: lengthMs })),
  })
  const settings = {
    store: {
      keys: { findCached, find: async () => findCached() },
      usage: { count: (id: string) => counted.push(id), refuse: () => {} },
    },
    limiter: {
      admit: (_: string, windows: readonly Window[]) => decide(windows),
      getWindowState: (_: string, { lengthMs }: Window) => ({ used: 0, endsInMs: lengthMs }),
    } as unknown as Limiter,
    adminKey: 'secret',
    areQuotasEnforced: false,
    getNodeRequests: () => 0,
    trustedProxies: 0,
    log: { info: () => {}, error: () => {} },
  } as unknown as createAuthenticate.Dependencies & createKeyLimiter.Dependencies
  const admit = createAdmit({ ...settings, limitKey: createKeyLimiter(settings) }, createAuthenticate(settings))
  const send = async (headers: Record<string, string>, operations = [operation]) => {
    const request = new Request('http://localhost/api/v1/convert/preview', { headers })
    return await admit(Object.freeze(createExchange(request, { address: '192.0.2.9' }, 0)), operations)
  }
  return { send, counted }
}

const active = () => ({ status: 'active', key })

const refusalOf = (code: ErrorCode) => expect.objectContaining<Partial<ServiceError>>({ code })

it('an admitted request returns its key and limits, and leaves the exchange as it was', async () => {
  const { send, counted } = createAdmission(active)
  expect(await send({ 'x-api-key': 'agio_1' })).toEqual({ isAdmin: false, keyId: 'key_1', key, rateLimit: limits })
  expect(counted).toEqual(['key_1'])
})

it('an admin request returns that its caller is the admin, and needs no API key', async () => {
  const { send, counted } = createAdmission(active)
  expect(await send({ 'x-admin-key': 'secret' }, ['admin.keys.list'])).toEqual({ isAdmin: true })
  expect(counted).toEqual([])
})

it('a request over its limit is refused with its key, its limits and a message that names the limit', async () => {
  const { send, counted } = createAdmission(active, 11)
  const error = await send({ 'x-api-key': 'agio_1' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AdmissionError)
  expect(error).toMatchObject({
    caller: { isAdmin: false, keyId: 'key_1', rateLimit: { policy: limits.policy } },
    cause: {
      code: 'svc/rate-limited',
      message: 'Cannot answer the request: limit of 10 calls per second reached; retry in 1 s',
    },
  })
  expect(counted).toEqual([])
})

it('a revoked key is refused with its id, for the log', async () => {
  const { send } = createAdmission(() => ({ status: 'revoked', key }))
  await expect(send({ 'x-api-key': 'agio_1' })).rejects.toMatchObject({
    caller: { keyId: 'key_1' },
    cause: refusalOf('svc/key-revoked'),
  })
})

it('error: svc/unauthorized for a request without an API key', async () => {
  const { send } = createAdmission(active)
  await expect(send({})).rejects.toEqual(refusalOf('svc/unauthorized'))
})
