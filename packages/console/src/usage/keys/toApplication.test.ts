import { expect, it } from 'vitest'
import { findField, toApplication, type ApplicationForm } from './toApplication.ts'

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

it('an error of the service is found at its field, also at one of the limits', () => {
  expect(findField('email', form)).toBe('email')
  expect(findField('limits.requests', form)).toBe('requests')
  expect(findField('limits', form)).toBeUndefined()
  expect(findField(undefined, form)).toBeUndefined()
})
