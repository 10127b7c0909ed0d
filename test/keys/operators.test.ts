import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import openApi from '../../openapi.json' with { type: 'json' }
import { expectDocumented } from '../harness/openApi.ts'
import { nextKeysKey, operatorKeys } from '../harness/settingsFor.ts'

type Operation = { readonly 'x-procedure'?: string; readonly 'x-role'?: string }

const roles = Object.fromEntries(
  Object.values(openApi.paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => (operation['x-procedure'] ? [[operation['x-procedure'], operation['x-role']]] : [])),
)

it('every operation of operators has a role, and no other operation has one', () => {
  expect(Object.fromEntries(Object.entries(roles).filter(([, role]) => role !== undefined))).toEqual({
    'admin.stats': 'read',
    'admin.keys.list': 'read',
    'admin.keys.create': 'keys',
    'admin.keys.update': 'keys',
    'admin.keys.rotate': 'keys',
    'admin.keys.revoke': 'keys',
    'admin.keys.erase': 'keys',
    'admin.audit': 'read',
    'admin.requests': 'read',
    'admin.quotes.listPauses': 'read',
    'admin.quotes.pause': 'quotes',
    'admin.quotes.resume': 'quotes',
    'admin.quotes.rotateSecret': 'quotes',
    'admin.quotes.revokeSecrets': 'quotes',
    'admin.backups.create': 'backup',
  })
  const withoutRole = Object.keys(roles).filter((name) => name.startsWith('admin.') && roles[name] === undefined)
  expect(withoutRole).toEqual([])
})

describe.each(inject('runtimes'))('operators on $name', ({ url, apiKey }) => {
  async function send(key: string, path: string, body?: object) {
    const response = await request(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-admin-key': key, 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.body.text()
    return { status: response.statusCode, text }
  }
  const application = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '1,000 a day' }

  it('an operator calls the operations of its role, and each other operation names the missing role', async () => {
    const calls = [
      ['read', '/api/v1/admin/keys', undefined],
      ['keys', '/api/v1/admin/keys', application],
      ['quotes', '/api/v1/admin/quotes/rotate-secret', {}],
      ['read', '/trpc/admin.keys.list', undefined],
      ['keys', '/trpc/admin.keys.create', application],
    ] as const
    for (const [role, path, body] of calls) {
      for (const [held, key] of Object.entries(operatorKeys)) {
        const { status, text } = await send(key, path, body)
        expect(status, `${path} with the role ${held}`).toBe(held === role ? 200 : 403)
        if (held === role) continue
        expect(text).toContain('svc/forbidden-role')
        expect(text).toContain(`"role":"${role}"`)
        if (path === '/api/v1/admin/keys' && !body) expectDocumented('admin.keys.list', status, JSON.parse(text))
      }
    }
  })

  it('both secrets of an operator work while it rotates', async () => {
    for (const key of [operatorKeys.keys, nextKeysKey])
      expect((await send(key, '/api/v1/admin/keys', application)).status).toBe(200)
  })

  it('a batch that needs two roles runs nothing for an operator with one of them', async () => {
    const path = '/trpc/admin.keys.create,admin.quotes.rotateSecret?batch=1'
    const body = { 0: { ...application, name: 'Of a batch' }, 1: {} }
    for (const key of [operatorKeys.keys, operatorKeys.quotes]) {
      const { status, text } = await send(key, path, body)
      expect(status).toBe(403)
      expect(text).toContain('svc/forbidden-role')
    }
    expect((await send(operatorKeys.read, '/api/v1/admin/keys')).text).not.toContain('Of a batch')
  })

  it('/metrics needs the role read', async () => {
    expect((await send(operatorKeys.read, '/metrics')).status).toBe(200)
    const refused = await send(operatorKeys.keys, '/metrics')
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      403,
      { code: 'svc/forbidden-role', role: 'read' },
    ])
  })

  it('a list of the audit log rejects malformed filters', async () => {
    const years = ['from=0000-01-01T00:00:00Z', 'to=0000-12-31T23:59:59.999Z']
    const offsets = ['from=0001-01-01T00:00:00%2B14:00', 'to=9999-12-31T23:59:59-14:00']
    const times = ['from=2026-11-01', 'to=now', ...years, ...offsets]
    for (const query of ['operator=two%20words', 'target=', ...times, 'before=0', 'limit=1001']) {
      const { status, text } = await send(operatorKeys.read, `/api/v1/admin/audit?${query}`)
      expect([status, JSON.parse(text)]).toMatchObject([
        400,
        { code: 'svc/invalid-request', field: query.replace(/=.*/, '') },
      ])
    }
  })

  it('lists of operators accept any time from the year 1 to the year 9999', async () => {
    for (const path of ['audit', 'requests']) {
      for (const time of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z']) {
        for (const field of ['from', 'to']) {
          const { status } = await send(operatorKeys.read, `/api/v1/admin/${path}?${field}=${time}`)
          expect([path, field, time, status]).toEqual([path, field, time, 200])
        }
      }
    }
  })

  it('an unknown path of operators is 404 for every operator', async () => {
    for (const key of Object.values(operatorKeys)) expect((await send(key, '/api/v1/admin/unknown')).status).toBe(404)
  })
})
