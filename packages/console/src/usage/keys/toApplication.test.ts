import { expect, it } from 'vitest'
import { findFields, toApplication, type ApplicationForm } from './toApplication.ts'

const form: ApplicationForm = {
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
  expect(toApplication(form)).toEqual({ ...stated, tier: 'standard' })
  expect(toApplication({ ...form, company: 'Shop Ltd', tier: 'production' })).toEqual({
    ...stated,
    company: 'Shop Ltd',
    tier: 'production',
    limits: { requests: 1000, windowSeconds: 60, burstPerSecond: 50, monthlyQuota: 5_000_000 },
  })
})

it('the refused fields of an error are found in the form, also the limits', () => {
  const errors = ['email', 'limits.requests', 'limits', 'other'].map((field) => ({ field, message: '' }))
  expect([...findFields({ field: 'email', errors }, form)]).toEqual(['email', 'requests'])
  expect([...findFields({ field: 'limits.requests' }, form)]).toEqual(['requests'])
  expect(findFields({}, form).size).toBe(0)
})
