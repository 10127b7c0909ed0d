import type { ApiKey, KeyStats } from '@agio/sdk/admin'
import { expect, it } from 'vitest'
import { toCsv } from '../ui/Button.tsx'
import {
  type ApplicationForm,
  emptyForm,
  explainAdminError,
  findFields,
  sortKeys,
  toApplication,
  toChange,
  toForm,
  toKeyRows,
  toNextOrder,
  usualScopes,
} from './keys.ts'

function key(name: string, fields: Partial<KeyStats>): KeyStats {
  return {
    id: name,
    prefix: 'agio_',
    name,
    tier: 'standard',
    createdAt: '2026-11-01T00:00:00.000Z',
    calls: 0,
    callsByOperation: {},
    refused: 0,
    days: [],
    ...fields,
  }
}

const namesOf = (keys: readonly KeyStats[]) => keys.map(({ name }) => name)

it('numbers are sorted as numbers, in both directions, and equal numbers keep their order', () => {
  const keys = [key('a', { calls: 9 }), key('b', { calls: 10 }), key('c', { calls: 9 })]
  expect(namesOf(sortKeys(keys, { column: 'calls', isAscending: true }))).toEqual(['a', 'c', 'b'])
  expect(namesOf(sortKeys(keys, { column: 'calls', isAscending: false }))).toEqual(['b', 'a', 'c'])
})

it('names are sorted alphabetically, and the given list is not changed', () => {
  const keys = [key('shop 10', {}), key('Shop 9', {}), key('bank', {})]
  expect(namesOf(sortKeys(keys, { column: 'name', isAscending: true }))).toEqual(['bank', 'Shop 9', 'shop 10'])
  expect(namesOf(keys)).toEqual(['shop 10', 'Shop 9', 'bank'])
})

it('keys without a value come last in both directions', () => {
  const keys = [
    key('never', {}),
    key('early', { lastUsedAt: '2026-11-02T00:00:00.000Z' }),
    key('late', { lastUsedAt: '2026-11-03T00:00:00.000Z' }),
  ]
  expect(namesOf(sortKeys(keys, { column: 'lastUsedAt', isAscending: true }))).toEqual(['early', 'late', 'never'])
  expect(namesOf(sortKeys(keys, { column: 'lastUsedAt', isAscending: false }))).toEqual(['late', 'early', 'never'])
})

it('a second click on a column reverses its default order', () => {
  const byCalls = toNextOrder({ column: 'name', isAscending: true }, 'calls')
  expect(byCalls).toEqual({ column: 'calls', isAscending: false })
  expect(toNextOrder(byCalls, 'calls')).toEqual({ column: 'calls', isAscending: true })
  expect(toNextOrder(byCalls, 'tier')).toEqual({ column: 'tier', isAscending: true })
})

it('a key is a row of the columns of the header, with empty cells for what it does not have', () => {
  const [header = [], row] = toKeyRows([key('Shop', { calls: 12, refused: 3 })])
  expect(header).toHaveLength(12)
  const created = '2026-11-01T00:00:00.000Z'
  expect(row).toEqual(['Shop', 'agio_', 'Shop', '', 'standard', created, '', '', '12', '3', '', ''])
})

it.each([
  ['a comma', 'Shop, Ltd', '"Shop, Ltd"'],
  ['a quotation mark', 'The "Shop"', '"The ""Shop"""'],
  ['a line break', 'one\ntwo', '"one\ntwo"'],
  ['nothing', '', ''],
])('a cell with %s stays one cell', (_, text, cell) => {
  expect(toCsv([[text]])).toBe(`${cell}\r\n`)
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('the cell %j is not a formula', (text) => {
  expect(toCsv([[text]]).replace('"', '')).toMatch(/^'/)
})

const form: ApplicationForm = {
  ...emptyForm,
  name: ' Shop ',
  company: ' ',
  email: 'dev@shop.example',
  useCase: 'payouts',
  expectedVolume: '10 a day',
  tier: 'standard',
  requests: '1000',
  windowSeconds: '60',
  burstPerSecond: '50',
  monthlyQuota: '5000000',
}

const stated = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '10 a day' }

it('an application has no limits but for the tier production, and no empty company', () => {
  expect(toApplication(form)).toEqual({ ...stated, tier: 'standard', scopes: usualScopes })
  expect(toApplication({ ...form, company: 'Shop Ltd', tier: 'production' })).toEqual({
    ...stated,
    company: 'Shop Ltd',
    tier: 'production',
    scopes: usualScopes,
    limits: { requests: 1000, windowSeconds: 60, burstPerSecond: 50, monthlyQuota: 5_000_000 },
  })
})

it('the refused fields of an error are found in the form, also the limits', () => {
  const errors = ['email', 'limits.requests', 'limits', 'other'].map((field) => ({ field, message: '' }))
  expect([...findFields({ field: 'email', errors }, form)]).toEqual(['email', 'requests'])
  expect([...findFields({ field: 'limits.requests' }, form)]).toEqual(['requests'])
  expect(findFields({}, form).size).toBe(0)
})

it('a changed key keeps its scopes unless they are chosen, and loses the restrictions that are emptied', () => {
  const key: ApiKey = {
    id: 'key_1',
    prefix: 'agio_sk_1',
    createdAt: '2026-11-01T00:00:00.000Z',
    ...stated,
    kind: 'secret',
    tier: 'standard',
    allowedOrigins: ['https://app.example'],
    allowedCidrs: ['203.0.113.0/24'],
    isCidrDryRun: true,
  }
  const shown = toForm(key)
  const emptied = { ...shown, allowedCidrs: ' ', allowedOrigins: 'https://a.example, https://b.example' }
  expect(toChange(emptied, key)).toEqual({
    id: 'key_1',
    ...stated,
    company: null,
    expiresAt: null,
    allowedCidrs: null,
    isCidrDryRun: true,
    allowedOrigins: ['https://a.example', 'https://b.example'],
  })
  expect(toChange({ ...shown, scopes: ['usage', 'read'] }, key)).toMatchObject({ scopes: ['read', 'usage'] })
})

it('a service without an admin key is not explained as a missing page, and other codes as for an API key', () => {
  expect(explainAdminError('svc/not-found')?.title).toBe('This service has no admin key')
  expect(explainAdminError('network/unreachable')).toBeUndefined()
})
