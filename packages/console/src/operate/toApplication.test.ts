import type { ApiKey } from '@agio/sdk/admin'
import { expect, it } from 'vitest'
import {
  emptyForm,
  findFields,
  toApplication,
  toChange,
  toForm,
  usualScopes,
  type ApplicationForm,
} from './toApplication.ts'

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
