import { createHash } from 'node:crypto'
import type { ErrorCode, ServiceError } from '@agio/core'
import type { Admission, ApiKey, KeyRestrictions, Limiter, Window } from '@agio/store'
import { expect, it } from 'vitest'
import { createExchange } from '../http/HttpExchange.ts'
import { AdmissionError } from './Caller.ts'
import { createAccessCheck } from './createAccessCheck.ts'
import { createAdmit } from './createAdmit.ts'
import { createAuthenticate } from './createAuthenticate.ts'
import { createKeyLimiter } from './createKeyLimiter.ts'

const key = { id: 'key_1', tier: 'standard' } as ApiKey
const operation = 'convert.preview'
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const admin = { name: 'admin', roles: ['read', 'keys', 'quotes'], digests: [digestOf('secret')] }
const nowMs = Date.UTC(2026, 0, 15)
const limits = {
  policy: '"standard";q=100;w=900, "burst";q=10;w=1, "nodes";q=89000;w=900',
  state: '"standard";r=99;t=900, "burst";r=9;t=1, "nodes";r=89000;t=900',
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
    operators: [admin],
    findRole: () => 'read',
    areQuotasEnforced: false,
    trustedProxies: 1,
    log: { info: () => {}, error: () => {} },
    findScope: () => 'read',
    now: () => nowMs,
  } as unknown as createAuthenticate.Dependencies &
    createKeyLimiter.Dependencies &
    createAccessCheck.Dependencies &
    createAdmit.Dependencies
  const dependencies = { ...settings, limitKey: createKeyLimiter(settings), access: createAccessCheck(settings) }
  const admit = createAdmit(dependencies, createAuthenticate(settings))
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
  expect(await send({ 'x-api-key': 'agio_1' })).toEqual({ keyId: 'key_1', key, rateLimit: limits })
  expect(counted).toEqual(['key_1'])
})

it('an admin request returns its operator, and needs no API key', async () => {
  const { send, counted } = createAdmission(active)
  expect(await send({ 'x-admin-key': 'secret' }, ['admin.keys.list'])).toEqual({ operator: admin })
  expect(counted).toEqual([])
})

it('a request over its limit is refused with its key, its limits and a message that names the limit', async () => {
  const { send, counted } = createAdmission(active, 11)
  const error = await send({ 'x-api-key': 'agio_1' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AdmissionError)
  expect(error).toMatchObject({
    caller: { keyId: 'key_1', rateLimit: { policy: limits.policy } },
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

/** Returns the code of a refused request. */
function outcomeOf(sent: Promise<object>): Promise<string> {
  return sent.then(
    () => 'admitted',
    (refusal: AdmissionError) => (refusal.cause as ServiceError).code,
  )
}

const restrictedTo = (restrictions: KeyRestrictions) => () => ({ status: 'active', key: { ...key, restrictions } })

it.each([
  [['203.0.113.0/24'], '203.0.113.9', true],
  [['203.0.113.0/24'], '203.0.114.9', false],
  [['203.0.113.0/24'], '198.51.100.1, 203.0.113.9', true],
  [['203.0.113.0/24'], '203.0.113.9, 198.51.100.1', false],
  [['0.0.0.0/0', '::/0'], '2001:db8::1', true],
  [['192.0.2.9/32'], 'garbage', true],
])('a key that allows %j and a client behind a proxy at %s: %s', async (allowedCidrs, forwarded, isAllowed) => {
  const { send } = createAdmission(restrictedTo({ allowedCidrs }))
  const sent = send({ 'x-api-key': 'agio_1', 'x-forwarded-for': forwarded })
  expect(await outcomeOf(sent)).toBe(isAllowed ? 'admitted' : 'svc/address-forbidden')
})

it.each([
  ['https://app.example', true],
  ['https://app.example.evil', false],
  ['http://app.example', false],
  ['https://app.example:8443', false],
  ['null', false],
  [undefined, false],
])('a key for the origin https://app.example and a request from %s: %s', async (origin, isAllowed) => {
  const { send } = createAdmission(restrictedTo({ allowedOrigins: ['https://app.example'] }))
  const sent = send({ 'x-api-key': 'agio_1', ...(origin !== undefined && { origin }) })
  expect(await outcomeOf(sent)).toBe(isAllowed ? 'admitted' : 'svc/origin-forbidden')
})

it('an expired key is refused with the time of its expiry, and a key that expires within a week says when', async () => {
  const day = 86_400_000
  const expiringIn = (days: number) => restrictedTo({ expiresAt: new Date(nowMs + days * day) })
  const callerOf = (days: number) => createAdmission(expiringIn(days)).send({ 'x-api-key': 'agio_1' })
  expect(await callerOf(7)).toMatchObject({ keyExpiresAt: '2026-01-22T00:00:00.000Z' })
  expect(await callerOf(7.01)).toMatchObject({ keyExpiresAt: undefined })
  const { send } = createAdmission(() => ({ ...expiringIn(-1)(), status: 'expired' }))
  await expect(send({ 'x-api-key': 'agio_1' })).rejects.toMatchObject({
    caller: { keyId: 'key_1' },
    cause: { code: 'svc/key-expired', message: 'Cannot use the API key: it expired at 2026-01-14T00:00:00.000Z' },
  })
})
