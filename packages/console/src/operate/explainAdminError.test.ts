import { expect, it } from 'vitest'
import { explainAdminError } from './explainAdminError.ts'

it('a wrong admin key is not explained as a missing API key', () => {
  expect(explainAdminError('svc/unauthorized')?.title).toBe('The admin key is wrong')
})

it('a service without an admin key is not explained as a missing page', () => {
  expect(explainAdminError('svc/not-found')?.title).toBe('This service has no admin key')
})

it('other codes mean the same as for calls with an API key', () => {
  expect(explainAdminError('network/unreachable')).toBeUndefined()
})
